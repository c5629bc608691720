import { sql } from 'kysely'
import { type Notes, readNote } from '../database/notes.ts'
import type { ArrivedIn, Database } from '../database/schema.ts'
import { idOfOurs } from './find-lead.ts'
import type { MailMessage } from './read-message.ts'

export type ArrivalTrouble = NonNullable<Notes['mail_arrival']['trouble']>

/** What is wrong with notices that the mail server accepted, if anything is. */
export const readArrivalTrouble = async (db: Database): Promise<ArrivalTrouble | null> =>
  (await readNote(db, 'mail_arrival'))?.trouble ?? null

/**
 * Notes which of these messages are our notices, so that it is known that they arrived. A notice
 * that came to the inbox stays there, wherever a message with its ID appears later: visitors can
 * guess the ID, but their email comes after the notice.
 */
export async function noteArrivals(
  db: Database,
  messages: readonly Pick<MailMessage, 'messageId' | 'receivedAt'>[],
  arrivedIn: ArrivedIn,
): Promise<void> {
  const ours = messages.filter(({ messageId }) => idOfOurs.test(messageId))
  if (ours.length === 0) return
  const notices = await db
    .selectFrom('outbox')
    .select(['id', 'message_id'])
    .where(
      'lead_id',
      'in',
      ours.flatMap(({ messageId }) => idOfOurs.exec(messageId)?.[1] ?? []),
    )
    .where(
      'message_id',
      'in',
      ours.map(({ messageId }) => messageId),
    )
    .where('kind', '=', 'owner_notice')
    .where(({ or, eb }) => or([eb('arrived_in', 'is', null), eb('arrived_in', '=', 'junk')]))
    .execute()
  for (const { id, message_id } of notices) {
    const { receivedAt = null } = ours.find(({ messageId }) => messageId === message_id) ?? {}
    await db
      .updateTable('outbox')
      .set({ arrived_in: arrivedIn, arrived_at: sql`coalesce(arrived_at, ${receivedAt})` })
      .where((notice) => notice.and({ id, message_id }))
      .execute()
  }
}
