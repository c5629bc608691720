import type { EmailKind } from '../database/schema.ts'

/**
 * Whether an email goes to a visitor. If so, retrying after a rejection is usually pointless: nobody can correct an address
 * that a visitor mistyped. An owner's address is a setting, which can be corrected.
 */
export const isToVisitor = (kind: EmailKind): boolean => kind === 'visitor_receipt' || kind === 'answer'
