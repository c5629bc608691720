import type { EmailKind } from '../database/schema.ts'

/**
 * Whether an email goes to a visitor. If the visitor mistyped the address, nobody can correct it; an owner's address is a
 * setting, which can be corrected.
 */
export const isToVisitor = (kind: EmailKind): boolean => kind === 'visitor_receipt' || kind === 'answer'
