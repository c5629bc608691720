import type { MailKind } from '../database/schema.ts'

/** One email to one recipient, claimed for one attempt. `attempts` counts this one. */
export type Job = {
  id: number
  kind: MailKind
  /** What it is about: a lead, or facts in `content`, as JSON. */
  leadId: string | null
  content: string | null
  recipient: string
  attempts: number
  queuedAt: string
  messageId: string
}

export type NewEmail = Pick<Job, 'kind' | 'recipient' | 'messageId'> & {
  leadId?: string
  content?: string
  /** About a lead that is marked as spam: leaves after the others. */
  isSuspect?: boolean
}

/** What the mail server answered; null where the answer had no code. `isBounce`: it knows no such mailbox of a visitor. */
export type Reply = { smtpCode: number | null; response: string; isBounce?: boolean }

/** Lower leaves first. */
export const priorities = { owner: 0, suspect: 1, visitor: 2 } as const

/** The priority that an email is queued with. */
export function priorityOf({ kind, isSuspect = false }: Pick<NewEmail, 'kind' | 'isSuspect'>): number {
  if (kind === 'visitor_receipt') return priorities.visitor
  return isSuspect ? priorities.suspect : priorities.owner
}
