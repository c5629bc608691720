import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/schema.ts'
import { writeNote } from '../database/settings.ts'
import { emlNames, removeFiles, reportsIn } from '../mail/eml-files.ts'
import { isLeased } from '../outbox/outbox-store.ts'

/** What was erased: leads, how many emails about them, and how many .eml files. */
export type Erased = { references: string[]; emails: number; emlFiles: number }

/**
 * Deletes leads with their emails, delivery log and .eml files. Pass at most about a hundred leads: they are deleted in one
 * transaction, which holds its locks until the commit. Skips leads with an email that is being sent: its .eml file could be
 * written after the erasure and would then be left behind. Also skips leads that no longer match `condition`.
 */
export function eraseLeads(
  { db, mailDir, now }: { db: Database; mailDir: string; now: Date },
  ids: readonly string[],
  condition: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<Erased> {
  return db.transaction().execute(async (transaction) => {
    const emails = await transaction
      .selectFrom('outbox')
      .select(['lead_id', 'message_id', isLeased(now).as('isLeased')])
      .where('lead_id', 'in', ids)
      // Prevents other replicas from claiming these emails until the commit.
      .forUpdate()
      .execute()
    const found = await transaction
      .selectFrom('leads')
      .select(['id', 'reference'])
      .where('id', 'in', ids)
      .where(condition)
      .execute()
    const emailsOf = Map.groupBy(emails, ({ lead_id }) => lead_id)
    const leads = found.filter(({ id }) => !emailsOf.get(id)?.some((email) => email.isLeased))
    if (leads.length === 0) return { references: [], emails: 0, emlFiles: 0 }

    const messageIds = leads.flatMap(({ id }) => emailsOf.get(id) ?? []).map((email) => email.message_id)
    // Remove the files before the commit: after a crash, the database still lists the files that are left.
    const emlFiles = removeFiles(mailDir, [...messageIds.flatMap(emlNames), ...reportsIn(mailDir)])
    await transaction
      .deleteFrom('leads')
      .where(
        'id',
        'in',
        leads.map(({ id }) => id),
      )
      .execute()
    // Makes open inboxes show the erasure at once.
    await writeNote(transaction, 'erased_at', now)
    return { references: leads.map(({ reference }) => reference), emails: messageIds.length, emlFiles }
  })
}
