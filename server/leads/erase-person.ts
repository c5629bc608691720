import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { brand } from '#facts/brand.ts'
import { rewriteDatabase, truncateWal } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { emlFilesAbout, emlNames, removeFiles } from '../mail/eml-files.ts'
import { addErased, type Erased, eraseLeads, nothingErased } from './erase-leads.ts'

const RETRY_MS = 250
const BATCH = 100

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

/** The references of leads with the address in their text, or in an owner's note, answer or draft; newest first. */
export function leadsMentioning(db: Database, address: string) {
  const text = sql`first_name || ' ' || last_name || ' ' || phone || ' ' || company || ' ' || website || ' ' || message`
  return (
    db
      .selectFrom('leads')
      .select('reference')
      // A text contains the address if removing the address changes the text. Both databases support this SQL.
      .where(sql<boolean>`replace(lower(${text}), ${address.toLowerCase()}, '') <> lower(${text})
        or exists (select 1 from (select lead_id, text from lead_events union all select lead_id, text from lead_drafts) as written
          where lead_id = leads.id and replace(lower(text), ${address.toLowerCase()}, '') <> lower(text))`)
      .orderBy('id', 'desc')
      .execute()
  )
}

/**
 * Erases the leads in `ids`, all other .eml files of emails to or from `address`, and what deleted rows leave behind in the
 * database and its write-ahead log. Keeps newer leads and returns their references. If an email about one of the leads is
 * being sent, waits until that ends (at most 13 minutes). `isOurs`: the address is the site's own, so the .eml files of
 * emails about other leads are kept. `isLogEmpty`: the write-ahead log could be emptied.
 */
export async function erasePerson(
  { db, mailDir, now }: { db: Database; mailDir: string; now: () => Date },
  { address, ids }: { address: string; ids: readonly string[] },
  onWait: () => void = () => {},
): Promise<Erased & { newer: string[]; isOurs: boolean; isLogEmpty: boolean }> {
  const wanted = new Set(ids)
  let erased = nothingErased()
  for (let rest = ids; rest.length > 0; ) {
    for (let from = 0; from < rest.length; from += BATCH) {
      const batch = rest.slice(from, from + BATCH)
      erased = addErased(erased, await eraseLeads({ db, mailDir, now: now() }, batch))
      await sleep(1)
    }
    rest = (await leadsFrom(db, address)).map(({ id }) => id).filter((id) => wanted.has(id))
    if (rest.length === 0) break
    onWait()
    await sleep(RETRY_MS)
  }
  const isOurs = await isSiteAddress(db, address)
  if (!isOurs) erased.emlFiles += await removeOtherEmlFiles(db, mailDir, address)
  await rewriteDatabase(db)
  const isLogEmpty = await truncateWal(db)
  const newer = (await leadsFrom(db, address)).map(({ reference }) => reference)
  return { ...erased, newer, isOurs, isLogEmpty }
}

/** Removes the .eml files of emails to or from the address, except those about newer leads from it, which are kept. */
async function removeOtherEmlFiles(db: Database, mailDir: string, address: string): Promise<number> {
  // List the files before the query: if the query came first, the files of a lead that arrives after it would be removed.
  const names = emlFilesAbout(mailDir, address)
  const kept = await db
    .selectFrom('outbox')
    .innerJoin('leads', 'leads.id', 'lead_id')
    .select('message_id')
    .where(sql`lower(email)`, '=', address.toLowerCase())
    .execute()
  const keptNames = new Set(kept.flatMap(({ message_id }) => emlNames(message_id)))
  return removeFiles(
    mailDir,
    names.filter((name) => !keptNames.has(name)),
  )
}

/**
 * Whether the address is the brand's or an owner's. Former owners count too: their addresses are in the outbox or the history.
 */
async function isSiteAddress(db: Database, address: string): Promise<boolean> {
  const toOwner = await db
    .selectFrom('outbox')
    .select('id')
    .where('kind', 'in', [
      'owner_notice',
      'notice_list',
      'digest',
      'answer_copy',
      'answer_trouble',
      'sign_in',
      'reminder',
      'late_list',
    ])
    .where(sql`lower(recipient)`, '=', address.toLowerCase())
    .limit(1)
    .executeTakeFirst()
  const isActor = await db
    .selectFrom('lead_events')
    .select('id')
    .where(sql`lower(who)`, '=', address.toLowerCase())
    .limit(1)
    .executeTakeFirst()
  return Boolean(toOwner ?? isActor) || address.toLowerCase() === brand.email.toLowerCase()
}
