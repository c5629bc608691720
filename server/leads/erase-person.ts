import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { brand } from '#shared/business.ts'
import { emptyLog, rewriteDatabase } from '../database/rewrite-database.ts'
import type { Database } from '../database/schema.ts'
import { copiesAbout, namesOfCopy, removeFiles } from '../mail/mail-copies.ts'
import { addErased, type Erased, eraseLeads, nothingErased } from './erase-leads.ts'

const IN_HAND_AGAIN_MS = 250
const MOST_AT_ONCE = 100

/** The leads that came from an address, however it was capitalised; the newest first. */
export function leadsFrom(db: Database, address: string) {
  return db
    .selectFrom('leads')
    .select(['id', 'reference'])
    .where(sql`lower(email)`, '=', address.toLowerCase())
    .orderBy('id', 'desc')
    .execute()
}

/** The leads of others whose own text names the address. */
export function leadsNaming(db: Database, address: string) {
  const text = sql`first_name || ' ' || last_name || ' ' || phone || ' ' || company || ' ' || website || ' ' || message`
  return (
    db
      .selectFrom('leads')
      .select('reference')
      // "Contains", in words that every SQL has.
      .where(sql<boolean>`replace(lower(${text}), ${address.toLowerCase()}, '') <> lower(${text})`)
      .orderBy('id', 'desc')
      .execute()
  )
}

/**
 * Erases these leads from an address and all other traces of it, out of database, log and mail folder. Leads that came
 * later are kept, and returned as `newer`. Waits for a mail that the server is just sending (2 minutes at most).
 * `isOurs`: it is the site's own address too, and stays as such. False in `isLogEmpty` means that another program kept
 * the log from being emptied.
 */
export async function erasePerson(
  { db, mailDir, now }: { db: Database; mailDir: string; now: () => Date },
  { address, ids }: { address: string; ids: readonly string[] },
  onWait: () => void = () => {},
): Promise<Erased & { newer: string[]; isOurs: boolean; isLogEmpty: boolean }> {
  const wanted = new Set(ids)
  let erased = nothingErased()
  for (let rest = ids; rest.length > 0; ) {
    for (let from = 0; from < rest.length; from += MOST_AT_ONCE) {
      const some = rest.slice(from, from + MOST_AT_ONCE)
      erased = addErased(erased, await eraseLeads({ db, mailDir, now: now() }, some))
      await sleep(1)
    }
    rest = (await leadsFrom(db, address)).map(({ id }) => id).filter((id) => wanted.has(id))
    if (rest.length === 0) break
    onWait()
    await sleep(IN_HAND_AGAIN_MS)
  }
  // Who tries out the form with the owner's address: it stands in every mail about others, and these stay.
  const isOurs = await isOfTheSite(db, address)
  if (!isOurs) erased.copies += await removeOtherCopies(db, mailDir, address)
  await rewriteDatabase(db)
  const isLogEmpty = await emptyLog(db)
  const newer = (await leadsFrom(db, address)).map(({ reference }) => reference)
  return { ...erased, newer, isOurs, isLogEmpty }
}

/** Removes the files about the address, but for those of leads that are kept. */
async function removeOtherCopies(db: Database, mailDir: string, address: string): Promise<number> {
  // Listed first: the lead of a file that is there by now is in the database by then.
  const names = copiesAbout(mailDir, address)
  const kept = await db
    .selectFrom('outbox')
    .innerJoin('leads', 'leads.id', 'lead_id')
    .select('message_id')
    .where(sql`lower(email)`, '=', address.toLowerCase())
    .execute()
  const keptNames = new Set(kept.flatMap(({ message_id }) => namesOfCopy(message_id)))
  return removeFiles(
    mailDir,
    names.filter((name) => !keptNames.has(name)),
  )
}

/** Whether an address is the brand's, or gets emails to the owner, or did. */
async function isOfTheSite(db: Database, address: string): Promise<boolean> {
  const toOwner = await db
    .selectFrom('outbox')
    .select('id')
    .where('kind', 'in', ['owner_notice', 'digest'])
    .where(sql`lower(recipient)`, '=', address.toLowerCase())
    .limit(1)
    .executeTakeFirst()
  const toFormerOwner = await db
    .selectFrom('outbox_attempts')
    .select('outbox_id')
    .where('outcome', '=', 'readdressed')
    .where(sql`lower(response)`, '=', address.toLowerCase())
    .limit(1)
    .executeTakeFirst()
  return Boolean(toOwner ?? toFormerOwner) || address.toLowerCase() === brand.email.toLowerCase()
}
