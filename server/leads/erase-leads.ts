import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { brand } from '#facts/brand.ts'
import { rewriteDatabase, truncateWal } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { writeNote } from '../database/settings.ts'
import { emlFilesIn, emlNames, removeFiles, reportsIn } from '../mail/eml-files.ts'
import { isLeased } from '../outbox/outbox-store.ts'

const RETRY_MS = 250
const BATCH = 100

type Erased = { references: string[]; emails: number; emlFiles: number }

/**
 * Deletes leads with their emails, delivery log and .eml files. Pass at most about a hundred leads: they are deleted in one
 * transaction, which holds its locks until the commit. Skips leads with an email that is being sent: its .eml file could be
 * written after the erasure and would then be left behind.
 */
export function eraseLeads(
  { db, mailDir, now }: { db: Database; mailDir: string; now: Date },
  ids: readonly string[],
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
 * Erases the leads in `ids`, all .eml files that contain `address`, and what deleted rows leave behind in the database and its
 * write-ahead log. Keeps newer leads and returns their references. If an email about one of the leads is being sent, waits
 * until that ends (at most 13 minutes). `isOurs`: the address is the site's own, so the .eml files of emails about other
 * leads are kept. `isLogEmpty`: the write-ahead log could be emptied.
 */
export async function erasePerson(
  { db, mailDir, now }: { db: Database; mailDir: string; now: () => Date },
  { address, ids }: { address: string; ids: readonly string[] },
  onWait: () => void = () => {},
) {
  const erased: Erased = { references: [], emails: 0, emlFiles: 0 }
  let rest = [...ids]
  while (rest.length > 0) {
    const batch = rest.slice(0, BATCH)
    const { references, emails, emlFiles } = await eraseLeads({ db, mailDir, now: now() }, batch)
    erased.references.push(...references)
    erased.emails += emails
    erased.emlFiles += emlFiles
    const left = await db.selectFrom('leads').select('id').where('id', 'in', batch).execute()
    rest = [...rest.slice(BATCH), ...left.map(({ id }) => id)]
    if (left.length > 0) onWait()
    await sleep(left.length > 0 ? RETRY_MS : 1)
  }
  const isOurs = await isSiteAddress(db, address)
  if (!isOurs) erased.emlFiles += removeFiles(mailDir, emlFilesIn(mailDir), address)
  await rewriteDatabase(db)
  const isLogEmpty = await truncateWal(db)
  const newer = (await leadsFrom(db, address)).map(({ reference }) => reference)
  return { ...erased, newer, isOurs, isLogEmpty }
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
