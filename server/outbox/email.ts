import type { EmailKind } from '../database/schema.ts'

/** One email to one recipient, claimed for one attempt. `attempts` counts this one. */
export type Job = {
  id: number
  kind: EmailKind
  /** The subject is either a lead or JSON in `content`. */
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
  /** About a suspect: sent after the others. */
  isSuspect?: boolean
}

/** The mail server's reply; `smtpCode` is null if it had none. `isBounce`: the visitor's mailbox does not exist. */
export type Reply = { smtpCode: number | null; response: string; isBounce?: boolean }

/** Lower numbers are sent first. */
export const priorities = { owner: 0, suspect: 1, visitor: 2 } as const

export function priorityOf({ kind, isSuspect = false }: Pick<NewEmail, 'kind' | 'isSuspect'>): number {
  if (kind === 'visitor_receipt') return priorities.visitor
  return isSuspect ? priorities.suspect : priorities.owner
}
