import { count } from '#shared/count.ts'
import type { Summary } from '#shared/inbox/api.ts'
import { arrivalWords } from '#shared/inbox/arrival-words.ts'
import { moment } from './times.ts'

type Mail = Summary['mail']

const callThem = 'Requests still arrive here. Please call the people who are waiting.'

/** Describes which messages aren't being delivered, and why: a title and an explanation. */
export function mailInWords({ state, since, failed, to = '' }: Mail, now: number): [string, string] {
  const when = since ? `Since ${moment(since, now)}. ` : ''
  const givenUp = failed > 0 ? `The server gave up on ${count(failed, 'email')}. ` : ''
  const words: Record<Mail['state'], [string, string]> = {
    ok: ['', ''],
    files: ['No mail server is set up.', 'Emails are written to files.'],
    held: [
      'Email is on hold.',
      `${when}The settings no longer name a mail server. Please call the people who are waiting.`,
    ],
    waiting: ['Email is not going out.', when + givenUp + callThem],
    failed: ['Some emails were not delivered.', when + givenUp + callThem],
    refused: [
      'Some emails to owners are refused.',
      `${when}The mail server takes other emails, but refuses these, perhaps because an owner’s mailbox is full or gone. The server keeps trying for five days.`,
    ],
    webhook: [
      'Some requests did not reach your other program.',
      `${when}They are all here, but the server cannot post them to LEAD_WEBHOOK_URL.`,
    ],
    mailbox: [
      'Replies by email are not shown.',
      `${when}The server cannot read the mailbox. Please look there yourself.`,
    ],
    ...arrivalWords(to),
  }
  return words[state]
}

/**
 * Whether to offer "Send again": only if messages have failed or are
 * waiting for a retry, and email isn't on hold.
 */
export const canSendAgain = ({ state }: Mail): boolean =>
  ['failed', 'waiting', 'refused', 'webhook'].includes(state)

/**
 * What happened after "Send again". Messages that are due anyway
 * don't count, such as those of an outage that goes on.
 */
export function resentInWords(messages: number): string {
  if (messages === 0) return 'The server is already sending them.'
  return messages === 1 ? 'Sending one message again.' : `Sending ${messages} messages again.`
}
