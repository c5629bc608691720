import type { EmailKind } from '../database/schema.ts'

/**
 * Whether an email goes to a visitor. Unlike an email to an owner, it is never readdressed: if the visitor mistyped the
 * address, the operator can't fix it.
 */
export const isToVisitor = (kind: EmailKind): boolean => kind === 'visitor_receipt' || kind === 'answer'
