import type { EmailKind } from '../database/schema.ts'

/**
 * Whether an email goes to a visitor. These emails are never readdressed, and the operator can't fix a mistyped
 * address.
 */
export const isToVisitor = (kind: EmailKind): boolean => kind === 'visitor_receipt' || kind === 'answer'
