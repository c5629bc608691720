import { expect, test } from 'vitest'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { claimEmail } from '../../proof/testing/claim-email.ts'
import { leadCommands } from '../../proof/testing/lead-commands.ts'

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
  await site.db
    .updateTable('outbox')
    .set({ kind: 'visitor_receipt', priority: 2 })
    .where('id', '=', 2)
    .execute()
  expect((await run(['resend', '--failed'])).stdout).toMatch(/^1 message is back/)
  expect(await states()).toEqual(['queued', 'failed'])
})

test('resend requeues a failed email and resets its attempts', async () => {
  const { reference } = await submit()
  await site.outbox.record(await claimEmail(site), site.clock.now, 'failed', {
    smtpCode: 550,
    response: 'no',
  })

  const { stdout } = await run(['resend', reference, '--failed'])
  const again = await run(['resend', '--failed'])

  expect(stdout).toMatch(/^1 message is back in the queue.* sends them at once/)
  expect([again.code, again.stderr]).toEqual([3, 'There are no failed messages.\n'])
  expect(await site.db.selectFrom('outbox').select(['state', 'attempts']).execute()).toEqual([
    { state: 'queued', attempts: 0 },
  ])
})
