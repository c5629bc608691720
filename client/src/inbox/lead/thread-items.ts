import type { LeadDetail, LeadEmail, LeadEvent } from '#shared/inbox/lead.ts'

const fromVisitors: readonly string[] = ['asked', 'reply', 'automatic_reply']
const fromUs: readonly string[] = ['answer', 'answered_by_mail']

/**
 * Something in a thread: what happened to a lead, or the request itself, which has the number 0.
 */
export type ThreadItem = Omit<LeadEvent, 'what'> & {
  what: LeadEvent['what'] | 'asked'
  /** The emails that are about it. */
  emails: LeadEmail[]
}

/**
 * The request, and what is loaded of what came after it, oldest first. An email whose event isn't
 * loaded is missing, and so is its line.
 */
export function itemsOf(lead: LeadDetail): [request: ThreadItem, ...later: ThreadItem[]] {
  const emailsAbout = (id: number | null) => lead.emails.filter(({ about }) => about === id)
  const nothing = { from: null, to: null, recipient: null, undoes: null, message: null, attachments: [] }
  const who = lead.email.toLowerCase()
  const asked = { id: 0, at: lead.receivedAt, who, what: 'asked', text: lead.message } as const
  const later = withoutUndone(lead.events)
    .map((event) => ({ ...event, emails: emailsAbout(event.id) }))
    .sort((one, other) => one.at.localeCompare(other.at))
  return [{ ...nothing, ...asked, emails: emailsAbout(null) }, ...later]
}

/** Leaves out answers that were undone. */
export function withoutUndone(events: readonly LeadEvent[]): LeadEvent[] {
  const undone = new Set(events.map(({ undoes }) => undoes))
  return events.filter(({ id }) => !undone.has(id))
}

/** Whether a visitor, or somebody else from another address, wrote it. */
export const isFromVisitor = ({ what }: Pick<ThreadItem, 'what'>): boolean => fromVisitors.includes(what)

/** Whether it is an answer. */
export const isFromUs = ({ what }: Pick<ThreadItem, 'what'>): boolean => fromUs.includes(what)

/** Whether somebody wrote or said something. Everything else is only a line between messages. */
export const isSaid = (item: ThreadItem): boolean =>
  isFromVisitor(item) || isFromUs(item) || Boolean(item.text)
