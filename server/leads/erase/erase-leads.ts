import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { comparable } from '#shared/text/comparable-address.ts'
import { rewriteDatabase, truncateWal } from '../../database/differences.ts'
import { transact } from '../../database/group-commit.ts'
import { migrate } from '../../database/migrate.ts'
import { type Erasure, writeNote } from '../../database/notes.ts'
import type { Database } from '../../database/schema.ts'
import { openDatabaseExclusively } from '../../database/sqlite.ts'
import { identityOf } from '../../files/private-files.ts'
import { removeEmlFiles } from '../../mail/eml-files.ts'
import { deleteFiles } from '../answers/files.ts'
import { lockOf } from '../change/change-lead.ts'
import { leadsWithMessages } from '../search/senders.ts'
import { eraseMessages, eraseRecipients } from './erase-messages.ts'
import { backupsExpireAt, eraseAgain, erasuresOf, saveErasures } from './erasures.ts'

// A transaction with more leads would block the server for too long.
const BATCH = 100
// Databases that a restore has kept, or has left unfinished. Nothing deletes them, so they don't
// count as backups.
const keptByRestore = /^leads-before-restore-.*\.db$|^leads\.db\.restore\.part$/

/**
 * Deletes leads with their files, emails and delivery log, and all .eml files, because any could
 * name the person. What such a file says is still in the inbox.
 */
export async function eraseLeads(
  { db, mailDir, now }: { db: Database; mailDir: string; now: Date },
  ids: readonly string[],
) {
  // PostgreSQL rejects an empty list.
  const wanted = ['', ...ids]
  const files = await db.selectFrom('files').select('id').where('lead_id', 'in', wanted).execute()
  await deleteFiles(
    db,
    files.map(({ id }) => id),
  )
  return db.transaction().execute(async (transaction) => {
    const { numDeletedRows } = await transaction
      .deleteFrom('outbox')
      .where('lead_id', 'in', wanted)
      .executeTakeFirst()
    const leads = await transaction
      .deleteFrom('leads')
      .where('id', 'in', wanted)
      .returning('reference')
      .execute()
    // Before the commit: after a crash, the leads are still there, and the next try removes what is
    // left.
    const emlFiles = removeEmlFiles(mailDir)
    // Makes open inboxes show the erasure at once.
    await writeNote(transaction, 'erased_at', now.toISOString())
    return { references: leads.map(({ reference }) => reference), emails: Number(numDeletedRows), emlFiles }
  })
}

/**
 * The leads from an email address, ignoring case, also if an owner has corrected it since; newest
 * first.
 */
function leadsFrom(db: Database, address: string) {
  const corrections = db.selectFrom('lead_events').select('lead_id').where('what', '=', 'address')
  const corrected = corrections.where(sql`lower(from_value)`, '=', address)
  return db
    .selectFrom('leads')
    .select(['id', 'reference', 'created_at'])
    .select(({ eb }) => eb('id', 'in', corrections).as('isCorrected'))
    .where(({ eb, or }) => or([eb(sql`lower(email)`, '=', address), eb('id', 'in', corrected)]))
    .orderBy('id', 'desc')
    .execute()
}

/**
 * Everything from an email address: its leads, and the leads of others about which it has written.
 */
export async function findPerson(db: Database, typed: string) {
  const address = comparable(typed.trim())
  const leads = await leadsFrom(db, address)
  const own = leads.map(({ id }) => id)
  const others = (await leadsWithMessages(db, address)).filter(({ id }) => !own.includes(id))
  return { address, leads, others }
}

export type Person = Awaited<ReturnType<typeof findPerson>>
type Deps = { db: Database; dataDir: string; backupDir: string; now: Date }

/**
 * Erases a person's leads and messages, all .eml files, and what deleted rows leave behind in the
 * database and its write-ahead log. What came after the person was looked for stays. Backups keep
 * the person until `backupsUntil`; a record makes a restore erase the person again. `notErased`
 * lists files with traces of the person: another program is using them, or they are damaged.
 */
export async function erasePerson(
  { db, dataDir, backupDir, now: at }: Deps,
  { address, leads, others }: Person,
) {
  // The other address of a corrected lead may belong to somebody else, whose leads must stay.
  const corrected = leads.filter(({ isCorrected }) => isCorrected)
  const addressAndIds = [address, ...corrected.map(({ id }) => id)]
  const newest = [...leads.map((lead) => lead.created_at), ...others.map((lead) => lead.newestAt)].toSorted()
  const times = { upTo: newest.at(-1) ?? at.toISOString(), at: at.toISOString() }
  const createErasures = (database: Database) => erasuresOf(database, addressAndIds, times)
  // The records come first, so that no moment has an erased lead without its record.
  await saveErasures(db, backupDir, await createErasures(db), at)

  const erased = { references: [] as string[], emails: 0, emlFiles: 0, messages: 0 }
  for (const lead of others) {
    const erase = (transaction: Database) => eraseMessages(transaction, lead, address, times)
    const done = await transact(db, erase, [lockOf(lead.reference)])
    erased.messages += done.messages
    erased.emails += done.emails
  }
  const ids = leads.map(({ id }) => id)
  // Without a lead, there can still be .eml files.
  for (let first = 0; first === 0 || first < ids.length; first += BATCH) {
    const batch = ids.slice(first, first + BATCH)
    const done = await eraseLeads({ db, mailDir: join(dataDir, 'mail'), now: at }, batch)
    erased.references.push(...done.references)
    erased.emails += done.emails
    erased.emlFiles += done.emlFiles
  }
  const wanted = address.toLowerCase()
  const erasedAt = (one: string) => (one === wanted ? times.at : undefined)
  await eraseRecipients(db, erasedAt, wanted)
  await rewriteDatabase(db)
  const isLogEmpty = await truncateWal(db)
  const notErased = await eraseFromKept(dataDir, createErasures)
  return {
    ...erased,
    notErased: isLogEmpty ? notErased : [...notErased, 'leads.db'],
    backupsUntil: backupsExpireAt(at).toISOString(),
  }
}

export type ErasureReport = Awaited<ReturnType<typeof erasePerson>>

/**
 * Erases people from the databases that restores have kept. Returns the names of those that could
 * not be changed.
 */
async function eraseFromKept(
  dataDir: string,
  createErasures: (database: Database) => Promise<Erasure[]>,
): Promise<string[]> {
  const names = existsSync(dataDir) ? readdirSync(dataDir).filter((name) => keptByRestore.test(name)) : []
  const live = join(dataDir, 'leads.db')
  const failed: string[] = []
  for (const name of names)
    try {
      const path = join(dataDir, name)
      // A killed restore can leave a second name of the current database.
      if (existsSync(live) && identityOf(path) === identityOf(live)) continue
      const kept = openDatabaseExclusively(path)
      // It has its own key if the server had started with an empty database before the restore.
      await migrate(kept)
        .then(() => createErasures(kept))
        .then((erasures) => eraseAgain(kept, erasures))
        .then(() => rewriteDatabase(kept))
        .finally(() => kept.destroy())
    } catch {
      failed.push(name)
    }
  return failed
}
