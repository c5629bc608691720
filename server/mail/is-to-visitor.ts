import type { EmailKind } from '../database/schema.ts'

/**
 * Whether an email goes to a visitor. Such an email is never readdressed, and if the address is mistyped, the operator
 * can't fix it.
 */
export const isToVisitor = (kind: EmailKind): boolean => kind === 'visitor_receipt' || kind === 'answer'
