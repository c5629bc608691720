import type { Summary } from '#shared/inbox/api.ts'
import { moment } from './times.ts'

type Mail = Summary['mail']

const titles: Record<Mail['state'], string> = {
  ok: '',
  files: 'No mail server is set up.',
  held: 'Email is on hold.',
  waiting: 'Email is not going out.',
  failed: 'Some emails were not delivered.',
}

/** Describes why emails aren't being sent: a title and an explanation. */
export const mailInWords = (mail: Mail, now: number): [string, string] => [
  titles[mail.state],
  textOf(mail, now),
]

/** Whether emails are waiting for a retry or were given up, and there is a mail server to send them. */
export const canSendAgain = ({ state }: Mail): boolean => state === 'failed' || state === 'waiting'

/** What happened after "Send again". */
export function resentInWords(emails: number): string {
  if (emails === 0) return 'No email is left to send.'
  return emails === 1 ? 'Sending one email again.' : `Sending ${emails} emails again.`
}

function textOf({ state, since, failed }: Mail, now: number): string {
  const when = since ? `Since ${moment(since, now)}. ` : ''
  const givenUp = failed > 0 ? `The server gave up on ${failed} ${failed === 1 ? 'email' : 'emails'}. ` : ''
  switch (state) {
    case 'files':
      return 'Emails are written to files.'
    case 'held':
      return `${when}The settings no longer name a mail server. Please call the people who are waiting.`
    default:
      return `${when}${givenUp}Requests still arrive here. Please call the people who are waiting.`
  }
}
