import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { databaseBytes, rewriteDatabase, truncateWal } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { readNote, writeNote } from '../database/settings.ts'
import { GIVE_UP_AFTER_MS } from '../outbox/attempt.ts'
import { addErased, eraseLeads, nothingErased } from './erase-leads.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
// After the clock jumps or RETENTION_DAYS changes, wait a week, so that a digest email tells the owner what will be deleted
// while there is time to stop it.
const SAFETY_WAIT_MS = 7 * DAY_MS
// The clock counts as having jumped if it goes back by more than MAX_BACK_MS, or the last run was more than MAX_GAP_MS ago.
const MAX_BACK_MS = HOUR_MS
const MAX_GAP_MS = 3 * DAY_MS
// Long enough for a daily digest to announce every deletion at least a day in advance.
const ANNOUNCED_AHEAD_MS = 2 * DAY_MS
// Deleting a batch of this size delays other requests by about 20 ms.
const BATCH = 50
const BETWEEN_BATCHES_MS = 20
// Rewriting the database removes deleted text from its file, but blocks all requests: at this size, for a quarter of a
// second. Only `leads erase` rewrites larger files.
const MAX_REWRITE_BYTES = 32 * 1024 * 1024
const MAX_LISTED = 20

type ClockRecord = { days: number; seenAt: number; steadySince: number }
type Deps = { db: Database; mailDir: string; days: number }

/** Tracks how long the clock has run steadily without a change of RETENTION_DAYS. */
export function watchClock(last: ClockRecord | undefined, days: number, now: Date): ClockRecord {
  const seenAt = now.getTime()
  const gap = last ? seenAt - last.seenAt : Number.POSITIVE_INFINITY
  const isSteady = last?.days === days && gap >= -MAX_BACK_MS && gap <= MAX_GAP_MS
  return { days, seenAt, steadySince: isSteady ? last.steadySince : seenAt }
}

/**
 * Deletes leads that are more than `days` days old, except those with an unsent notice to the owner, or with an answer or
 * webhook request that is waiting to be sent. Deletes nothing before the returned time `deletesFrom`.
 */
export async function deleteExpired({ db, mailDir, days }: Deps, now: Date, isStopping = () => false) {
  const clock = watchClock(await readNote<ClockRecord>(db, 'retention_watch'), days, now)
  const deletesFrom = new Date(clock.steadySince + SAFETY_WAIT_MS)
  const expired = expiredBefore(db, new Date(now.getTime() - days * DAY_MS))
  let erased = nothingErased()
  if (now >= deletesFrom) {
    const nextIds = async () =>
      (await expired.where(isDelivered(now)).limit(BATCH).execute()).map(({ id }) => id)
    for (let ids = await nextIds(); ids.length > 0 && !isStopping(); ids = await nextIds()) {
      const batch = await eraseLeads({ db, mailDir, now }, ids, isDelivered(now))
      // Each lead in this batch has an email that is being sent right now. Tomorrow's run tries again.
      if (batch.references.length === 0) break
      erased = addErased(erased, batch)
      await sleep(BETWEEN_BATCHES_MS)
    }
    if (erased.references.length > 0 && (await databaseBytes(db)) <= MAX_REWRITE_BYTES)
      await rewriteDatabase(db)
    await truncateWal(db)
  }
  const kept = await count(expired)
  // A run that is stopped or fails writes no note, so that another run is still due and deletes the rest.
  if (!isStopping()) await writeNote(db, 'retention_watch', clock)
  const { references, mails, emlFiles } = erased
  return { deleted: references.length, mails, emlFiles, kept, deletesFrom }
}

/** How many leads will be deleted within two days, and the references of the oldest. */
export async function expiringSoon(db: Database, now: Date, days: number) {
  const until = now.getTime() + ANNOUNCED_AHEAD_MS
  const { steadySince } = watchClock(await readNote<ClockRecord>(db, 'retention_watch'), days, now)
  if (days === 0 || until < steadySince + SAFETY_WAIT_MS) return { leads: 0, references: [] }
  const expiring = expiredBefore(db, new Date(until - days * DAY_MS)).where(isDelivered(now))
  const oldest = await expiring.limit(MAX_LISTED).execute()
  return { leads: await count(expiring), references: oldest.map(({ reference }) => reference) }
}

const expiredBefore = (db: Database, cutoff: Date) =>
  db
    .selectFrom('leads')
    .select(['id', 'reference'])
    .where('created_at', '<', cutoff.toISOString())
    .orderBy('created_at')

async function count(leads: ReturnType<typeof expiredBefore>): Promise<number> {
  const counted = leads
    .clearSelect()
    .clearOrderBy()
    .select(({ fn }) => fn.countAll<number>().as('count'))
  return (await counted.executeTakeFirstOrThrow()).count
}

// Ignores receipts and failed answers: otherwise, an email to a nonexistent address would keep its lead forever. Also
// ignores webhook requests that have waited too long, because LEAD_WEBHOOK_URL may have been removed.
const isDelivered = (now: Date) => sql<boolean>`not exists
  (select 1 from outbox where lead_id = leads.id and ((kind = 'owner_notice' and state in ('queued', 'sending', 'failed'))
    or (kind in ('answer', 'answer_copy') and state in ('queued', 'sending'))
    or (kind = 'webhook' and state in ('queued', 'sending') and queued_at > ${new Date(now.getTime() - GIVE_UP_AFTER_MS).toISOString()})))`

/** Whether the last run was at least a day ago, or RETENTION_DAYS has changed or the clock was set back since then. */
function isRunDue(last: ClockRecord | undefined, days: number, now: Date): boolean {
  const gap = last ? now.getTime() - last.seenAt : Number.POSITIVE_INFINITY
  return last?.days !== days || gap >= DAY_MS || gap < -MAX_BACK_MS
}

/** Deletes old leads once a day. Call the returned function every minute; it retries after a failed run. */
export function createRetention({ now, log, ...deps }: Deps & { now: () => Date; log: Logger }) {
  return async function deleteIfDue(signal: AbortSignal): Promise<void> {
    if (!isRunDue(await readNote<ClockRecord>(deps.db, 'retention_watch'), deps.days, now())) return
    const { deletesFrom, ...result } = await deleteExpired(deps, now(), () => signal.aborted)
    if (now() < deletesFrom)
      log.warn(
        { days: deps.days, deletesFrom },
        'RETENTION_DAYS or the clock has changed: no leads are deleted yet',
      )
    else log.info(result, 'old leads deleted')
  }
}
