import { expect, test } from 'vitest'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { leadCommands } from '../../proof/testing/run-program.ts'

const site = useTestApp()

const { submit, run } = leadCommands(() => site)

test('resend requeues only the given lead; resend --failed requeues every failed notice, but no receipts', async () => {
  const states = async () => {
    const mails = await site.db.selectFrom('outbox').select('state').orderBy('id').execute()
    return mails.map(({ state }) => state)
  }
  await submit({ message: '1' })
  await site.db.updateTable('outbox').set({ state: 'failed' }).execute()
  const { reference } = await submit({ message: '2' })
  await site.db.updateTable('outbox').set({ state: 'sent' }).where('id', '=', 2).execute()

  await run(['resend', reference])
  expect(await states()).toEqual(['failed', 'queued'])

  await site.db.updateTable('outbox').set({ state: 'failed' }).execute()
  const receipt = { kind: 'visitor_receipt', priority: 2 } as const
  await site.db.updateTable('outbox').set(receipt).where('id', '=', 2).execute()
  expect((await run(['resend', '--failed'])).stdout).toMatch(/^1 message is back/)
  expect(await states()).toEqual(['queued', 'failed'])
})
