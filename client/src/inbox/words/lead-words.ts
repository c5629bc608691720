import type { LeadDetail, LeadEmail, LeadEvent, LeadRow, LeadView } from '#shared/inbox/lead.ts'
import { emailInShort } from '#shared/inbox/words.ts'

/** The names of the views. The names of the leads' states are among them. */
export const viewNames: Record<LeadView, string> = {
  open: 'Open',
  later: 'Later',
  suspects: 'Suspects',
  answered: 'Answered',
  won: 'Won',
  lost: 'Lost',
  spam: 'Spam',
  all: 'All',
}

const whoElse: Record<string, string> = {
  shell: 'Somebody on the server',
  server: 'The mail system',
  '': 'Somebody at an unknown address',
}

/** Who did something: "You", "anna", "The mail system". */
export const whoInWords = (who: string, me: string): string =>
  who === me ? 'You' : (whoElse[who] ?? who.replace(/@.*/, ''))

/** Whether a message came from another address than the lead's, or from an unknown one. */
export const isElsewhere = (message: LeadEvent | null, { email }: Pick<LeadDetail, 'email'>): boolean =>
  message !== null && message.who !== email.toLowerCase()

const emailStates = {
  queued: 'waiting to be sent',
  sending: 'being sent',
  sent: 'accepted by the mail server',
  failed: 'not delivered',
  file: 'only written to a file',
  listed: 'not sent separately, but named in a list of requests',
}

/** "Receipt to ada@example.com: accepted by the mail server". */
export function emailInWords({ kind, recipient, state }: LeadEmail): string {
  const email = emailInShort({ kind, recipient })
  const outcome = kind === 'webhook' && state === 'sent' ? 'accepted' : emailStates[state]
  return `${email.charAt(0).toUpperCase()}${email.slice(1)}: ${outcome}`
}

/**
 * Why the last answer was not delivered, or what to do about a
 * bounced receipt. Lists show it instead of the message.
 */
export const troubleInRow = ({ trouble, addressDoubt, state }: LeadRow): string | null =>
  trouble ?? (state === 'open' ? addressDoubt : null)

// More would not fit into a row on a phone.
const MAX_MARKS = 2

/** What is unfinished about a lead, in a word or three each, the most urgent first. */
export const marksOf = ({ stuckSince, writer, hasDraft, isUnread }: LeadRow): string[] =>
  [stuckSince && 'Stuck', writer && `${writer} is writing`, hasDraft && 'Draft', isUnread && 'New']
    .filter((mark) => typeof mark === 'string')
    .slice(0, MAX_MARKS)

/** "Ada Lovelace, Grace Hopper, Alan Turing and 2 more". */
export function namesInWords(rows: readonly { name: string }[]): string {
  const names = rows.map(({ name }) => name)
  const more = names.splice(3).length
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '')
}
