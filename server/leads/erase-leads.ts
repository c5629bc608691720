import { sql } from 'kysely'
import { brand } from '#facts/brand.ts'
import { rewriteDatabase, truncateWal } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { writeNote } from '../database/settings.ts'
import { removeEmlFiles } from '../mail/eml-files.ts'

type Deps = { db: Database; mailDir: string; now: Date }

/**
 * Deletes leads with their emails and delivery log, and all .eml files, because any could name the person. What such a file
 * says is still in the inbox.
 */
export const eraseLeads = ({ db, mailDir, now }: Deps, ids: readonly string[]) =>
  db.transaction().execute(async (transaction) => {
    // PostgreSQL rejects an empty list.
    const wanted = ['', ...ids]
    const { numDeletedRows } = await transaction
      .deleteFrom('outbox')
      .where('lead_id', 'in', wanted)
      .executeTakeFirst()
    const leads = await transaction
      .deleteFrom('leads')
      .where('id', 'in', wanted)
      .returning('reference')
      .execute()
    // Before the commit: after a crash, the leads are still there, and the next try removes what is left.
    const emlFiles = removeEmlFiles(mailDir)
    // Makes open inboxes show the erasure at once.
    await writeNote(transaction, 'erased_at', now)
    return { references: leads.map(({ reference }) => reference), emails: Number(numDeletedRows), emlFiles }
  })

/** The leads from an email address, ignoring case, also if an owner has corrected it since; newest first. */
export function leadsFrom(db: Database, address: string) {
  const corrected = db
    .selectFrom('lead_events')
    .select('lead_id')
    .where('what', '=', 'address')
    .where(sql`lower(from_value)`, '=', address.toLowerCase())
  return db
    .selectFrom('leads')
    .select(['id', 'reference'])
    .where(({ eb, or }) => or([eb(sql`lower(email)`, '=', address.toLowerCase()), eb('id', 'in', corrected)]))
    .orderBy('id', 'desc')
    .execute()
}

/**
 * Erases the leads in `ids`, all .eml files, and what deleted rows leave behind in the database and its write-ahead log. Keeps
 * newer leads and returns their references. `isOurs`: the address is the site's own, so emails to it stay. `isLogEmpty`: the
 * write-ahead log could be emptied.
 */
export async function erasePerson(deps: Deps, { address, ids }: { address: string; ids: readonly string[] }) {
  const { db } = deps
  const erased = await eraseLeads(deps, ids)
  await rewriteDatabase(db)
  const isLogEmpty = await truncateWal(db)
  const newer = (await leadsFrom(db, address)).map(({ reference }) => reference)
  return { ...erased, newer, isOurs: await isSiteAddress(db, address), isLogEmpty }
}

/** Whether the address is the brand's or an owner's. Former owners count, too: the outbox has emails to them. */
async function isSiteAddress(db: Database, address: string): Promise<boolean> {
  const toOwner = await db
    .selectFrom('outbox')
    .select('id')
    .where('kind', 'not in', ['visitor_receipt', 'answer', 'webhook'])
    .where(sql`lower(recipient)`, '=', address.toLowerCase())
    .limit(1)
    .executeTakeFirst()
  return toOwner !== undefined || address.toLowerCase() === brand.email.toLowerCase()
}
