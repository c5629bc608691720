import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { brand } from '#facts/brand.ts'
import { backupsExpireAt, type Erasure, eraseAgain, erasuresOf, saveErasures } from '../backup/erasures.ts'
import { rewriteDatabase, truncateWal } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { openDatabaseExclusively } from '../database/sqlite.ts'
import { identityOf } from '../files/private-files.ts'
import { emlFilesIn, removeFiles } from '../mail/eml-files.ts'
import { eraseLeads } from './erase-leads.ts'

const RETRY_MS = 250
const BATCH = 100
// Databases that a restore has kept, or has left unfinished. Nothing deletes them, so they don't count as backups.
const keptByRestore = /^leads-before-restore-.*\.db$|^leads\.db\.restore\.part$/

type LeadOfPerson = Awaited<ReturnType<typeof leadsFrom>>[number]
type Deps = { db: Database; dataDir: string; backupDir: string; now: () => Date }

/** The leads from an email address, ignoring case, also if an owner has corrected it since; newest first. */
export async function leadsFrom(db: Database, address: string) {
  const corrected = db
    .selectFrom('lead_events')
    .select('lead_id')
    .where('what', '=', 'address')
    .where(sql`lower(from_value)`, '=', address.toLowerCase())
  const rows = await db
    .selectFrom('leads')
    .leftJoin('lead_events', (join) => join.onRef('lead_id', '=', 'leads.id').on('what', '=', 'address'))
    .select(['leads.id', 'reference', 'created_at', 'email', 'from_value'])
    .where(({ eb, or }) =>
      or([eb(sql`lower(email)`, '=', address.toLowerCase()), eb('leads.id', 'in', corrected)]),
    )
    .orderBy('leads.id', 'desc')
    .execute()
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((events) => ({
    ...(events[0] as (typeof rows)[number]),
    addresses: events.flatMap(({ email, from_value }) => [email, from_value ?? email]),
  }))
}

/**
 * Erases a person's leads, all .eml files that contain the address, and what deleted rows leave behind in the database and its
 * write-ahead log. Leads that aren't in `leads` stay. Backups keep the person until `backupsUntil`; a record makes a restore
 * erase the person again. If an email about one of the leads is being sent, waits until that ends (at most 13 minutes).
 * `notErased` lists files that another program is using, or that are damaged.
 */
export async function erasePerson(
  { db, dataDir, backupDir, now }: Deps,
  { address, leads }: { address: string; leads: readonly LeadOfPerson[] },
  onWait: () => void = () => {},
) {
  const at = now()
  const addresses = [address, ...leads.flatMap((lead) => lead.addresses)]
  const upTo = leads[0]?.created_at ?? at.toISOString()
  const erasures = await erasuresOf(db, addresses, { upTo, at: at.toISOString() })
  // The records come first, so that no moment has an erased lead without its record.
  await saveErasures(db, backupDir, erasures, at)

  const mailDir = join(dataDir, 'mail')
  const erased = { references: [] as string[], emails: 0, emlFiles: 0 }
  let rest = leads.map(({ id }) => id)
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
  if (!(await isSiteAddress(db, address)))
    erased.emlFiles += removeFiles(mailDir, emlFilesIn(mailDir), address)
  await rewriteDatabase(db)
  const isLogEmpty = await truncateWal(db)
  const notErased = await eraseFromKept(dataDir, erasures)
  return {
    ...erased,
    notErased: isLogEmpty ? notErased : [...notErased, 'leads.db-wal'],
    backupsUntil: backupsExpireAt(at).toISOString(),
  }
}

export type ErasureReport = Awaited<ReturnType<typeof erasePerson>>

/** Erases people from the databases that restores have kept. Returns the names of those that could not be changed. */
async function eraseFromKept(dataDir: string, erasures: readonly Erasure[]): Promise<string[]> {
  const names = existsSync(dataDir) ? readdirSync(dataDir).filter((name) => keptByRestore.test(name)) : []
  const live = join(dataDir, 'leads.db')
  const failed: string[] = []
  for (const name of names)
    try {
      const path = join(dataDir, name)
      // A killed restore can leave a second name of the current database.
      if (existsSync(live) && identityOf(path) === identityOf(live)) continue
      const kept = openDatabaseExclusively(path)
      await eraseAgain(kept, erasures)
        .then(() => rewriteDatabase(kept))
        .finally(() => kept.destroy())
    } catch {
      failed.push(name)
    }
  return failed
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
