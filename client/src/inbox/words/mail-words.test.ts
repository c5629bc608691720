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
])('if the state of email is "%s", can it be sent again? %j', (state, is) => {
  expect(canSendAgain({ state, since: null, failed: 0 })).toBe(is)
})

test('the bar says since when email is not going out, and counts what was given up', () => {
  for (const state of ['waiting', 'failed'] as const) {
    const [, text] = mailInWords({ state, since: new Date().toJSON(), failed: 1 }, Date.now())
    expect(text).toMatch(/^Since .* today\. The server gave up on 1 email\. /)
  }
})

test.each([
  [0, 'The server is already sending them.'],
  [1, 'Sending one message again.'],
  [2, 'Sending 2 messages again.'],
])('after "Send again" of %i messages, a notice says "%s"', (messages, words) => {
  expect(resentInWords(messages)).toBe(words)
})
