import { contactSchema } from '#shared/contact-request.ts'
import type { Database } from '../../database/schema.ts'
import { removeFromIndex } from '../../database/search-index.ts'
import { Problem } from '../../problem.ts'
import { addEvent } from './lead-events.ts'
import type { StoredLead } from './lock-lead.ts'

/** The address that an owner answers to: the person's, or a corrected one. Throws a Problem if it isn't valid. */
export function readRecipient({ email }: StoredLead, to: string | undefined): string {
  if (to === undefined || to === email) return email
  const result = contactSchema.shape.email.safeParse(to)
  if (result.success) return result.data
  const message = String(result.error.issues[0]?.message)
  throw new Problem('invalid_input', message, { errors: [{ field: 'to', message }] })
}

/** Stores a corrected address, so that later emails and searches use it, and records the change in the history. */
export async function correctAddress(
  transaction: Database,
  { id, email }: StoredLead,
  corrected: string,
  { at, who }: { at: Date; who: string },
): Promise<void> {
  if (corrected === email) return
  await transaction.updateTable('leads').set({ email: corrected }).where('id', '=', id).execute()
  await addEvent(transaction, {
    lead_id: id,
    at: at.toISOString(),
    who,
    what: 'address',
    from_value: email,
    to_value: corrected,
  })
  await removeFromIndex(transaction, id)
}
