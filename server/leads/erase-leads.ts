import { type RawBuilder, sql } from 'kysely'
import { isShared } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { namesOfCopy, removeFiles } from '../mail/mail-copies.ts'
import { isInHand } from '../outbox/outbox-store.ts'

export type Erased = {
  references: string[]
  mails: number
  /** Of these mails, how many had not been sent. */
  unsent: number
  attempts: number
  /** Files of mails. */
  copies: number
}

/**
 * Deletes leads with all that belongs to them: mails, the ledger of their attempts and the copies in the mail folder.
 * One transaction: meant for some hundred at a time. A lead whose mail is in a running server's hands is left, since its
 * copy may only now be written: ask again a moment later. So is one for which `which` does not hold: it is checked in the
 * transaction, since what held when the leads were chosen may hold no more.
 */
export function eraseLeads(
  { db, mailDir, now }: { db: Database; mailDir: string; now: Date },
  ids: readonly string[],
  which: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<Erased> {
  return db.transaction().execute(async (transaction) => {
    // So that none of their mails is claimed in between.
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
              .where(isInHand(now)),
          ),
        ),
      )
      .execute()
    if (leads.length === 0) return nothingErased()
    const free = leads.map(({ id }) => id)
    const mails = await transaction
      .selectFrom('outbox')
      .select(['id', 'state', 'message_id'])
      .where('lead_id', 'in', free)
      .execute()
    const { attempts } = await transaction
      .selectFrom('outbox_attempts')
      .select(({ fn }) => fn.countAll<number>().as('attempts'))
      .where('outbox_id', 'in', (outbox) =>
        outbox.selectFrom('outbox').select('id').where('lead_id', 'in', free),
      )
      .executeTakeFirstOrThrow()
    // Before the commit: what a crash leaves undone is then still in the database, to be found again.
    const copies = removeFiles(
      mailDir,
      mails.flatMap(({ message_id }) => namesOfCopy(message_id)),
    )
    await transaction.deleteFrom('leads').where('id', 'in', free).execute()
    return {
      references: leads.map(({ reference }) => reference),
      mails: mails.length,
      unsent: mails.filter(({ state }) => state !== 'sent').length,
      attempts,
      copies,
    }
  })
}

export const nothingErased = (): Erased => ({ references: [], mails: 0, unsent: 0, attempts: 0, copies: 0 })

/** Adds up what several transactions have erased. */
export const addErased = (a: Erased, b: Erased): Erased => ({
  references: [...a.references, ...b.references],
  mails: a.mails + b.mails,
  unsent: a.unsent + b.unsent,
  attempts: a.attempts + b.attempts,
  copies: a.copies + b.copies,
})
