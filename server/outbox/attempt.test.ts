import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createGroupCommit } from '../database/group-commit.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { claimEmail, outboxTools } from '../proof/testing/outbox.ts'
import type { Email } from './email.ts'
import { enqueue } from './enqueue.ts'
import { createOutboxStore } from './outbox-store.ts'
import { requeueFailed } from './resend.ts'

const site = useTestApp()
const { rows, startWorker, submit } = outboxTools(site)

test('after MAIL_TO changes, unsent emails to the owner go to the new mailbox, and all others to theirs', async () => {
  for (const message of ['given up', 'queued']) await submit(message)
  const [first, second] = [await claimEmail(site), await claimEmail(site)]
  await site.outbox.record(first, site.clock.now, 'failed', { smtpCode: 550, response: '550 5.1.1 who?' })
  await site.outbox.record(second, site.clock.now, 'retry', { smtpCode: 450, response: '450 later' })
  const visitor = 'ada@example.com'
  await enqueue(site.db, [{ kind: 'visitor_receipt', recipient: visitor, messageId: '<r>' }], site.clock.now)
  const sentTo: string[] = []
  const mailTo = ['new@agency.example', 'b@agency.example']
  const send = async ({ recipient }: Email) => `250 ${sentTo.push(recipient)}`
  const outbox = createOutboxStore({ db: site.db, write: createGroupCommit(site.db), mailTo })

  await requeueFailed(site.db, undefined, site.clock.now)
  const worker = startWorker(send, { outbox })
  worker.start()
  await expect.poll(() => sentTo).toHaveLength(3)
  await worker.stop()

  expect(sentTo.toSorted()).toEqual([visitor, 'new@agency.example', 'new@agency.example'])
  expect((await rows()).map(({ recipient }) => recipient).toSorted()).toEqual(sentTo.toSorted())
})

test('after a refusal of the content, the next attempt follows at once', async () => {
  await submit('1')
  const causes: (string | null)[] = []
  const worker = startWorker(async ({ cause }) => {
    causes.push(cause)
    await sleep(50)
    if (cause === 'content') return '250 ok'
    throw Object.assign(new Error('no'), { responseCode: 554, command: 'DATA', response: '554 5.7.1 spam' })
  })
  worker.start()

  await expect.poll(rows, { timeout: 2_000 }).toMatchObject([{ state: 'sent', attempts: 2 }])
  await worker.stop()
  expect(causes).toEqual([null, 'content'])
})
