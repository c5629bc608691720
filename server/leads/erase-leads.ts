import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/schema.ts'
import { writeNote } from '../database/settings.ts'
import { emlNames, removeFiles, reportsListing } from '../mail/eml-files.ts'
import { isLeased } from '../outbox/outbox-store.ts'

export type Erased = {
  references: string[]
  mails: number
  /** How many of these emails weren't sent. */
  unsent: number
  attempts: number
  /** How many .eml files were removed. */
  emlFiles: number
}

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
    // Prevents other replicas from claiming the emails of these leads until the commit.
    await transaction.selectFrom('outbox').select('id').where('lead_id', 'in', ids).forUpdate().execute()
    const leads = await transaction
      .selectFrom('leads')
      .select(['id', 'reference'])
      .where('id', 'in', ids)
      .where(condition)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('outbox')
              .select('outbox.id')
              .whereRef('lead_id', '=', 'leads.id')
              .where(isLeased(now)),
          ),
        ),
      )
      .execute()
    if (leads.length === 0) return nothingErased()
    const idsToErase = leads.map(({ id }) => id)
    const emails = await transaction
      .selectFrom('outbox')
      .select(['id', 'state', 'message_id'])
      .where('lead_id', 'in', idsToErase)
      .execute()
    const { attempts } = await transaction
      .selectFrom('outbox_attempts')
      .select(({ fn }) => fn.countAll<number>().as('attempts'))
      .where('outbox_id', 'in', (outbox) =>
        outbox.selectFrom('outbox').select('id').where('lead_id', 'in', idsToErase),
      )
      .executeTakeFirstOrThrow()
    // Remove the files before the commit: after a crash, the database still lists the files that are left.
    const reports = reportsListing(
      mailDir,
      leads.map(({ reference }) => reference),
    )
    const emlFiles = removeFiles(mailDir, [
      ...emails.flatMap(({ message_id }) => emlNames(message_id)),
      ...reports,
    ])
    await transaction.deleteFrom('leads').where('id', 'in', idsToErase).execute()
    // Makes open inboxes show the erasure at once.
    await writeNote(transaction, 'erased_at', now)
    return {
      references: leads.map(({ reference }) => reference),
      mails: emails.length,
      unsent: emails.filter(({ state }) => ['queued', 'sending', 'failed'].includes(state)).length,
      attempts,
      emlFiles,
    }
  })
}

export const nothingErased = (): Erased => ({ references: [], mails: 0, unsent: 0, attempts: 0, emlFiles: 0 })

export const addErased = (a: Erased, b: Erased): Erased => ({
  references: [...a.references, ...b.references],
  mails: a.mails + b.mails,
  unsent: a.unsent + b.unsent,
  attempts: a.attempts + b.attempts,
  emlFiles: a.emlFiles + b.emlFiles,
})
