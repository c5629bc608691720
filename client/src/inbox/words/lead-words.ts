import type { LeadDetail, LeadEmail, LeadEvent } from '#shared/inbox/lead.ts'
import { emailInShort } from '#shared/inbox/words.ts'

const whoElse: Record<string, string> = {
  shell: 'Somebody on the server',
  server: 'The mail system',
  '': 'Somebody at an unknown address',
}

/**
 * Who did something: "You", "Anna", "The mail system". The mailbox also counts what was sent from
 * an address that is not a person's, such as "hello@": that address is the name.
 */
export function whoInWords({ who, what }: { who: string; what: string }, me: string): string {
  if (who === me) return 'You'
  if (what === 'answered_by_mail' && who) return who
  return whoElse[who] ?? capitalized(who.replace(/@.*/, ''))
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Whether a message came from another address than the lead's, or from an unknown one. */
export const isElsewhere = (
  message: Pick<LeadEvent, 'who'> | null,
  { email }: Pick<LeadDetail, 'email'>,
): boolean => message !== null && message.who !== email.toLowerCase()

const outcomes = {
  queued: 'waiting to be sent',
  sending: 'being sent',
  sent: 'accepted by the mail server',
  failed: 'not delivered',
  file: 'only written to a file',
  listed: 'not sent separately, but named in a list of requests',
}

/** What became of an email: "accepted by the mail server". */
export const outcomeInWords = ({ kind, state }: LeadEmail): string =>
  kind === 'webhook' && state === 'sent' ? 'accepted' : outcomes[state]

/** "Receipt to ada@example.com: accepted by the mail server". */
export const emailInWords = (email: LeadEmail): string =>
  `${capitalized(emailInShort(email))}: ${outcomeInWords(email)}`

/** "Ada Lovelace, Grace Hopper, Alan Turing and 2 more". */
export function namesInWords(rows: readonly { name: string }[]): string {
  const names = rows.map(({ name }) => name)
  const more = names.splice(3).length
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '')
}
