import type { EmailKind } from '../database/schema.ts'

/** Whether an email goes to a visitor: its recipient never changes, and nobody can fix a mistyped address. */
export const isToVisitor = (kind: EmailKind): boolean => kind === 'visitor_receipt' || kind === 'answer'
