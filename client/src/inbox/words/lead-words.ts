import {
  type LeadDetail,
  type LeadEmail,
  type LeadEvent,
  type LeadRow,
  type LeadView,
  MAX_UNREAD,
} from '#shared/inbox/lead.ts'
import { planName } from '#shared/inbox/plan-name.ts'
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

/** Why the last answer was not delivered, or what to do about a bounced receipt. */
export const troubleInRow = ({ trouble, addressDoubt, state }: LeadRow): string | null =>
  trouble ?? (state === 'open' ? addressDoubt : null)

/** What the person wrote last. Why an answer failed takes its place, unless the words are new. */
export const wordsInRow = (row: LeadRow): string => (troubleInRow(row) && row.unread === 0 ? '' : row.words)

// More would not fit into a row on a phone.
const MAX_MARKS = 3

function newInWords(unread: number): string {
  if (unread < 2) return 'New'
  return `${unread < MAX_UNREAD ? unread : `${MAX_UNREAD - 1}+`} new`
}

/**
 * What a row marks, in a word or three each, the most urgent first: what is unfinished, and what is
 * known about the person. The result is left out where the row already says it.
 */
export const marksOf = (row: LeadRow, now: number): string[] => {
  const { isUnread, unread, result, state, wroteBefore } = row
  const marks = [
    row.stuckSince && 'Stuck',
    state === 'open' && row.followUpAt && !isLater(row, now) && 'Follow up',
    row.writer && `${row.writer} is writing`,
    row.hasDraft && 'Draft',
    isUnread && newInWords(unread),
    result && (state === 'open' || row.followUpAt) && viewNames[result],
    row.repliedAt && !isUnread && 'Wrote again',
    wroteBefore && 'Wrote before',
  ]
  return marks.filter((mark) => typeof mark === 'string').slice(0, MAX_MARKS)
}

/** Whether a lead has a follow-up that has not come yet. */
export const isLater = ({ followUpAt }: Pick<LeadRow, 'followUpAt'>, now: number): boolean =>
  followUpAt !== null && Date.parse(followUpAt) > now

/** "Note: Call at 3, conference room": why there is a follow-up. */
export const noteInRow = ({ followUpAt, note }: LeadRow): string =>
  followUpAt && note ? `Note: ${note}` : ''

/** "Whitfield Roofing, Professional": whom a row is about, besides the name. */
export const aboutInWords = ({ company, budget }: Pick<LeadRow, 'company' | 'budget'>): string =>
  company ? `${company}, ${planName(budget)}` : planName(budget)

/** "Ada Lovelace, Grace Hopper, Alan Turing and 2 more". */
export function namesInWords(rows: readonly { name: string }[]): string {
  const names = rows.map(({ name }) => name)
  const more = names.splice(3).length
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '')
}
