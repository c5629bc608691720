import type { LeadRow, LeadView } from '#shared/inbox/lead.ts'
import { planName } from '#shared/inbox/plan-name.ts'

// first-script.ts, which is inlined in the document, needs all this. So it imports nothing large.

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

/** Why the last answer was not delivered, or what to do about a bounced receipt. */
export const troubleInRow = ({ trouble, addressDoubt, state }: LeadRow): string | null =>
  trouble ?? (state === 'open' ? addressDoubt : null)

/** What the person wrote last. Why an answer failed takes its place, unless the words are new. */
export const wordsInRow = (row: LeadRow): string => (troubleInRow(row) && row.unread === 0 ? '' : row.words)

// More would not fit into a row on a phone.
const MAX_MARKS = 3

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
    isUnread && (unread > 1 ? `${unread} new` : 'New'),
    result && (state === 'open' || row.followUpAt) && viewNames[result],
    row.repliedAt && !isUnread && 'Wrote again',
    wroteBefore && 'Wrote before',
  ]
  return marks.filter((mark) => typeof mark === 'string').slice(0, MAX_MARKS)
}

/** Whether a person waits for a reply, as far as it isn't suspected spam. */
export const isWaiting = ({ state, isSuspect }: Pick<LeadRow, 'state' | 'isSuspect'>): boolean =>
  state === 'open' && !isSuspect

/** Whether a lead has a follow-up that has not come yet. */
export const isLater = ({ followUpAt }: Pick<LeadRow, 'followUpAt'>, now: number): boolean =>
  followUpAt !== null && Date.parse(followUpAt) > now

/** "Note: Call at 3, conference room": why there is a follow-up. */
export const noteInRow = ({ followUpAt, note }: LeadRow): string =>
  followUpAt && note ? `Note: ${note}` : ''

/** "Whitfield Roofing, Professional": whom a row is about, besides the name. */
export const aboutInWords = ({ company, budget }: Pick<LeadRow, 'company' | 'budget'>): string =>
  company ? `${company}, ${planName(budget)}` : planName(budget)
