import { filesInWords } from '#shared/files-in-words.ts'
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

type Line = [kind: 'trouble' | 'note' | 'words' | 'files', text: string]

/**
 * The lines of a row below whom it is about: why the last answer was not delivered, or what to do
 * about a bounced receipt; why there is a follow-up ("Note: Call at 3, conference room"); what the
 * person wrote last, or what a search has found; and the files.
 */
export function linesOf(row: LeadRow): Line[] {
  const { followUpAt, note, words, unread, found } = row
  const trouble = row.trouble ?? (row.state === 'open' ? row.addressDoubt : null)
  const lines: Line[] = []
  if (trouble) lines.push(['trouble', trouble])
  if (followUpAt && note && !found) lines.push(['note', `Note: ${note}`])
  // Trouble takes the place of words, unless they are new.
  if (found || (words && (!trouble || unread > 0))) lines.push(['words', words])
  const files = filesInWords(row.files)
  if (files) lines.push(['files', files])
  return lines
}

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

/** "Whitfield Roofing, Professional": whom a row is about, besides the name. */
export const aboutInWords = ({ company, budget }: Pick<LeadRow, 'company' | 'budget'>): string =>
  company ? `${company}, ${planName(budget)}` : planName(budget)
