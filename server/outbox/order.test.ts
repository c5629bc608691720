import { expect, test } from 'vitest'
import type { EmailKind } from '../database/schema.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { priorities } from './email.ts'
import { enqueue } from './enqueue.ts'

const site = useTestApp()

const queue = async (kind: EmailKind, name: string, isSuspect = false) => {
  await enqueue(site.db, [{ kind, recipient: 'x@example.com', messageId: name, isSuspect }], site.clock.now)
  site.advanceClock(1000)
}
/** Claims all due emails, and returns their names in the order of the claims. */
const order = async (lowest?: number) => {
  const names: string[] = []
  for (;;) {
    const email = await site.outbox.claim(site.clock.now, lowest)
    if (!email) return names
    names.push(email.messageId)
  }
}

test('codes and answers are sent first, then emails to the owner, then receipts and suspects; of each, the newest first', async () => {
  for (const kind of ['visitor_receipt', 'reminder', 'owner_notice', 'sign_in', 'answer'] as const)
    for (const age of ['old', 'new']) await queue(kind, `${age} ${kind}`)
  await queue('owner_notice', 'suspect', true)

  expect(await order(priorities.urgent)).toEqual(['new answer', 'old answer', 'new sign_in', 'old sign_in'])
  expect(await order()).toEqual([
    ...['new owner_notice', 'old owner_notice', 'new reminder', 'old reminder'],
    ...['suspect', 'new visitor_receipt', 'old visitor_receipt'],
  ])
})

test('the webhook gets the newest lead first, and an email worker claims no leads', async () => {
  for (const name of ['first', 'second']) await queue('webhook', name)
  await queue('owner_notice', 'notice')

  expect(await order()).toEqual(['notice'])
  expect(await order(priorities.webhook)).toEqual(['second', 'first'])
})
