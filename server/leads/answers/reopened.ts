import type { Database } from '../../database/schema.ts'
import type { StoredLead, Undoable } from '../change/change-lead.ts'
import { nextAnswerAt } from '../emails/reply-notices.ts'

/**
 * The columns of a lead with answers that don't go out, given when: it is open again, unless it is
 * spam. If one of them was its first answer, the next one counts as the first.
 */
export async function reopened(
  transaction: Database,
  { id, state, answered_at }: StoredLead,
  answeredAt: readonly string[],
): Promise<Partial<Undoable>> {
  if (state === 'spam') return {}
  const open = { state: 'open', follow_up_at: null } as const
  if (!answeredAt.includes(String(answered_at))) return open
  const lead = transaction.selectFrom('leads').where('id', '=', id)
  const { at } = await lead.select(nextAnswerAt(answeredAt).as('at')).executeTakeFirstOrThrow()
  return { ...open, answered_at: at }
}
