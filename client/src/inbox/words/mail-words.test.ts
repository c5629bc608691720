import { expect, test } from 'vitest'
import type { Summary } from '#shared/inbox/api.ts'
import { canSendAgain, mailInWords, resentInWords } from './mail-words.ts'

type State = Summary['mail']['state']

test.each<[State, boolean]>([
  ['ok', false],
  ['files', false],
  ['held', false],
  ['waiting', true],
  ['failed', true],
  ['refused', true],
  ['webhook', true],
  ['mailbox', false],
  ['junk', false],
  ['missing', false],
  ['returned', false],
])('if the state of email is "%s", can it be sent again? %j', (state, is) => {
  expect(canSendAgain({ state, since: null, failed: 0 })).toBe(is)
})

test('the bar says since when email is not going out, and counts what was given up', () => {
  for (const state of ['waiting', 'failed'] as const) {
    const [, text] = mailInWords({ state, since: new Date().toJSON(), failed: 1 }, Date.now())
    expect(text).toMatch(/^Since .* today\. The server gave up on 1 email\. /)
  }
})

test.each<[State, string, string]>([
  ['junk', 'Emails about requests land in the junk folder of info@example.com.', 'Open that folder'],
  ['missing', 'An email about a request has not come to info@example.com.', 'The mail server accepted it'],
  ['returned', 'An email about a request to info@example.com has come back.', 'full or gone'],
  ['waiting', 'Email is not going out.', ' today. Requests still arrive here.'],
  ['held', 'Email is on hold.', 'The settings no longer name a mail server.'],
  ['refused', 'Some emails to owners are refused.', 'mailbox is full'],
  ['webhook', 'Some requests did not reach your other program.', 'LEAD_WEBHOOK_URL'],
  ['mailbox', 'Replies by email are not shown.', 'Please look there yourself.'],
])('if messages do not arrive (%s), the bar says which, and why or what to do', (state, title, text) => {
  const mail = { state, since: new Date().toJSON(), failed: 0, to: 'info@example.com' }
  expect(mailInWords(mail, Date.now())).toEqual([title, expect.stringContaining(text)])
})

test.each([
  [0, 'The server is already sending them.'],
  [1, 'Sending one message again.'],
  [2, 'Sending 2 messages again.'],
])('after "Send again" of %i messages, a notice says "%s"', (messages, words) => {
  expect(resentInWords(messages)).toBe(words)
})
