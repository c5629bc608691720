import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { databaseBytes } from '../database/differences.ts'
import { emptyLog, rewriteDatabase } from '../database/rewrite-database.ts'
import type { Database } from '../database/schema.ts'
import { readNote, writeNote } from '../database/settings.ts'
import { addErased, eraseLeads, nothingErased } from './erase-leads.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
// A leap of the clock, or a slip of the pen in RETENTION_DAYS, is believed when it has stood for a week: time for a
// digest, and for a backup to be kept.
const DOUBT_MS = 7 * DAY_MS
// What a clock may be set back by, and how long a server may have been off, without being doubted.
const STEADY_BACK_MS = HOUR_MS
const STEADY_GAP_MS = 3 * DAY_MS
// So that whoever hears of it once a day hears of every lead a day ahead at least.
const ANNOUNCED_AHEAD_MS = 2 * DAY_MS
// A batch holds up the answer to a request for some 20 ms.
const BATCH = 50
const BETWEEN_BATCHES_MS = 20
// Rewriting it holds up everything for a quarter of a second; a larger file is left to `leads erase`.
const LARGEST_REWRITE_BYTES = 32 * 1024 * 1024
const NAMED_AT_MOST = 20

type Watch = { days: number; seenAt: number; steadySince: number }
type Deps = { db: Database; mailDir: string; days: number }

/** Since when clock and setting have been steady. Pure: what the last run wrote down, and now, give the next. */
export function watchClock(last: Watch | undefined, days: number, now: Date): Watch {
  const seenAt = now.getTime()
  const gap = last ? seenAt - last.seenAt : Number.POSITIVE_INFINITY
  const isSteady = last?.days === days && gap >= -STEADY_BACK_MS && gap <= STEADY_GAP_MS
  return { days, seenAt, steadySince: isSteady ? last.steadySince : seenAt }
}

/**
 * Deletes the leads that are older than so many days, with all that belongs to them, in small steps. A lead whose
 * owner has not been told of it stays (`kept`). `deletesFrom` is when deleting begins or began.
 */
export async function deleteExpired({ db, mailDir, days }: Deps, now: Date, isStopping = () => false) {
  const watch = watchClock(await readNote<Watch>(db, 'retention_watch'), days, now)
  const deletesFrom = new Date(watch.steadySince + DOUBT_MS)
  const expired = expiredBefore(db, new Date(now.getTime() - days * DAY_MS))
  let erased = nothingErased()
  if (now >= deletesFrom) {
    const nextIds = async () => (await expired.where(isDelivered).limit(BATCH).execute()).map(({ id }) => id)
    for (let ids = await nextIds(); ids.length > 0 && !isStopping(); ids = await nextIds()) {
      const step = await eraseLeads({ db, mailDir, now }, ids, isDelivered)
      // Each of them has a mail in hand or is to be told of again: tomorrow, then.
      if (step.references.length === 0) break
      erased = addErased(erased, step)
      await sleep(BETWEEN_BATCHES_MS)
    }
    if (erased.references.length > 0 && (await databaseBytes(db)) <= LARGEST_REWRITE_BYTES)
      await rewriteDatabase(db)
    await emptyLog(db, 1)
  }
  const { kept } = await expired
    .clearSelect()
    .clearOrderBy()
    .select(({ fn }) => fn.countAll<number>().as('kept'))
    .executeTakeFirstOrThrow()
  // Written last: what a stop or the end of a copy left undone, the next one takes up.
  if (!isStopping()) await writeNote(db, 'retention_watch', watch)
  return { deleted: erased.references.length, mails: erased.mails, copies: erased.copies, kept, deletesFrom }
}

/** The leads that will be deleted within two days: how many, and the oldest of them. None where nothing is deleted yet. */
export async function expiringSoon(db: Database, now: Date, days: number) {
  const until = now.getTime() + ANNOUNCED_AHEAD_MS
  const { steadySince } = watchClock(await readNote<Watch>(db, 'retention_watch'), days, now)
  if (days === 0 || until < steadySince + DOUBT_MS) return { leads: 0, references: [] }
  const expiring = expiredBefore(db, new Date(until - days * DAY_MS)).where(isDelivered)
  const { leads } = await expiring
    .clearSelect()
    .clearOrderBy()
    .select(({ fn }) => fn.countAll<number>().as('leads'))
    .executeTakeFirstOrThrow()
  const oldest = await expiring.limit(NAMED_AT_MOST).execute()
  return { leads, references: oldest.map(({ reference }) => reference) }
}

const expiredBefore = (db: Database, cutoff: Date) =>
  db
    .selectFrom('leads')
    .select(['id', 'reference'])
    .where('created_at', '<', cutoff.toISOString())
    .orderBy('created_at')

// What the owner has been told. A visitor's own mail keeps nothing: an address that does not exist would keep it forever.
const isDelivered = sql<boolean>`not exists
  (select 1 from outbox where lead_id = leads.id and kind = 'owner_notice' and state <> 'sent')`

/** Whether a day has passed since the last run, or it says nothing about now: another setting, another clock. Pure. */
export function isRunDue(last: Watch | undefined, days: number, now: Date): boolean {
  const gap = last ? now.getTime() - last.seenAt : Number.POSITIVE_INFINITY
  return last?.days !== days || gap >= DAY_MS || gap < -STEADY_BACK_MS
}

/** Runs the deletion once a day; to be called every minute. A run that fails is repeated at the next call. */
export function createRetention({ now, log, ...deps }: Deps & { now: () => Date; log: Logger }) {
  return async function deleteIfDue(signal: AbortSignal): Promise<void> {
    if (!isRunDue(await readNote<Watch>(deps.db, 'retention_watch'), deps.days, now())) return
    const { deletesFrom, ...result } = await deleteExpired(deps, now(), () => signal.aborted)
    if (now() < deletesFrom)
      log.warn({ days: deps.days, deletesFrom }, 'RETENTION_DAYS or the clock is new: no lead is deleted yet')
    else log.info(result, 'old leads deleted')
  }
}
