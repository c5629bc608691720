import { type RawBuilder, sql } from 'kysely'
import { isShared } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { writeNote } from '../database/settings.ts'
import { emlNames, removeFiles } from '../mail/eml-files.ts'
import { isLeased } from '../outbox/outbox-store.ts'

export type Erased = {
  references: string[]
  mails: number
  /** How many of these emails were not sent. */
  unsent: number
  attempts: number
  /** .eml files. */
  emlFiles: number
}

/**
 * Deletes leads with their emails, delivery log and .eml files, in one transaction: pass at most a hundred or so. Skips
 * leads whose email is being sent, because its .eml file may not exist yet: try again a moment later. Also skips leads
 * that do not match `which`, which is checked inside the transaction: they may have changed since they were selected.
 */
export function eraseLeads(
  { db, mailDir, now }: { db: Database; mailDir: string; now: Date },
  ids: readonly string[],
  which: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<Erased> {
  return db.transaction().execute(async (transaction) => {
    // Prevents workers from claiming their emails meanwhile.
    if (isShared(db))
      await transaction.selectFrom('outbox').select('id').where('lead_id', 'in', ids).forUpdate().execute()
    const leads = await transaction
      .selectFrom('leads')
      .select(['id', 'reference'])
      .where('id', 'in', ids)
      .where(which)
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
    // Before the commit: after a crash, the database still lists the files to delete.
    const emlFiles = removeFiles(
      mailDir,
      emails.flatMap(({ message_id }) => emlNames(message_id)),
    )
    await transaction.deleteFrom('leads').where('id', 'in', idsToErase).execute()
    // An open inbox shows it at once.
    await writeNote(transaction, 'erased_at', now)
    return {
      references: leads.map(({ reference }) => reference),
      mails: emails.length,
      unsent: emails.filter(({ state }) => state !== 'sent').length,
      attempts,
      emlFiles,
    }
  })
}

export const nothingErased = (): Erased => ({ references: [], mails: 0, unsent: 0, attempts: 0, emlFiles: 0 })

/** Adds up the results of several transactions. */
export const addErased = (a: Erased, b: Erased): Erased => ({
  references: [...a.references, ...b.references],
  mails: a.mails + b.mails,
  unsent: a.unsent + b.unsent,
  attempts: a.attempts + b.attempts,
  emlFiles: a.emlFiles + b.emlFiles,
})
