import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { truncateWal } from '../../database/differences.ts'
import { type Notes, readNote, writeNote } from '../../database/notes.ts'
import type { Database } from '../../database/schema.ts'
import { GIVE_UP_AFTER_MS } from '../../outbox/retry-schedule.ts'
import { lastAnswerId } from '../emails/reply-notices.ts'
import { lowestIdAfter } from '../lead-id.ts'
import { eraseLeads } from './erase-leads.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
// After the clock jumps, or RETENTION_DAYS, INBOX, or a lead changes, wait a week, so that the
// morning email tells the owner what will be deleted while there is time to stop it.
const SAFETY_WAIT_MS = 7 * DAY_MS
// Long enough for a daily email to announce every deletion at least a day in advance.
const ANNOUNCED_AHEAD_MS = 2 * DAY_MS
// Deleting a batch of this size delays other requests by about 20 ms.
const BATCH = 50
const BETWEEN_BATCHES_MS = 20

type ClockRecord = Notes['retention_watch']
/** Without the inbox, nobody closes leads, so open ones are deleted, too. */
type Rule = { days: number; hasInbox: boolean }
type Deps = Rule & {
  db: Database
  mailDir: string
  now: () => Date
  log: Logger
  /**
   * Whether all messages of visitors are known, so that no lead is deleted whose visitor has just
   * written again.
   */
  areMessagesRead: () => Promise<boolean>
}

/** Tracks how long the clock has run steadily without a change of RETENTION_DAYS or INBOX. */
function watchClock(last: ClockRecord | undefined, { days, hasInbox }: Rule, now: Date): ClockRecord {
  const seenAt = now.getTime()
  const gap = last ? seenAt - last.seenAt : Number.POSITIVE_INFINITY
  const isSameRule = last?.days === days && last.hasInbox === hasInbox
  // After more than a day, a morning email is missing.
  const isSteady = isSameRule && gap >= -HOUR_MS && gap <= DAY_MS
  return { days, hasInbox, seenAt, steadySince: isSteady ? last.steadySince : seenAt }
}

/**
 * Creates a function, to be called every hour, that deletes leads whose visitors wrote last more
 * than `days` days ago. It keeps those that an owner of the inbox has to answer, or has changed in
 * the last week, and those with an email that waits, a notice to the owner that waits for a list or
 * was given up on, or a webhook request that still has a chance to be sent.
 */
export function createRetention({ db, mailDir, days, hasInbox, now, log, areMessagesRead }: Deps) {
  const rule = { days, hasInbox }
  return async function deleteExpired(signal: AbortSignal): Promise<void> {
    const clock = watchClock(await readNote(db, 'retention_watch'), rule, now())
    await writeNote(db, 'retention_watch', clock)
    if (clock.seenAt === clock.steadySince)
      log.warn({ days }, 'RETENTION_DAYS, INBOX, or the clock has changed: no leads are deleted for a week')
    if (clock.seenAt < clock.steadySince + SAFETY_WAIT_MS) return
    if (!(await areMessagesRead()))
      return log.warn('the mailbox has not been read: no leads are deleted for an hour')

    const at = now()
    const expired = expiredBefore(db, rule, at.getTime(), at)
    let deleted = 0
    while (!signal.aborted) {
      const ids = (await expired.select('id').limit(BATCH).execute()).map(({ id }) => id)
      if (ids.length === 0) break
      await eraseLeads({ db, mailDir, now: at }, ids)
      deleted += ids.length
      await sleep(BETWEEN_BATCHES_MS)
    }
    if (deleted === 0) return
    await truncateWal(db)
    log.info({ deleted }, 'old leads deleted')
  }
}

/** How many leads will be deleted within two days of `now`, which may be before the last run. */
export async function countExpiringSoon(db: Database, now: Date, rule: Rule): Promise<number> {
  const until = now.getTime() + ANNOUNCED_AHEAD_MS
  const last = await readNote(db, 'retention_watch')
  const { steadySince } = watchClock(last, rule, new Date(Math.max(now.getTime(), last?.seenAt ?? 0)))
  // If days is 0, nothing is deleted, and the clock never counts as steady.
  if (until < steadySince + SAFETY_WAIT_MS) return 0
  const { count } = await expiredBefore(db, rule, until, now)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

function expiredBefore(db: Database, { days, hasInbox }: Rule, at: number, now: Date) {
  const cutoff = new Date(at - days * DAY_MS)
  const old = db
    .selectFrom('leads')
    .where('id', '<', lowestIdAfter(cutoff))
    .where('created_at', '<', cutoff.toISOString())
    .where(hasNotWrittenSince(cutoff))
    .where(isDelivered(now))
  return hasInbox ? old.where(isDoneBefore(new Date(at - SAFETY_WAIT_MS))) : old
}

const fromVisitor = sql`lead_id = leads.id and what in ('reply', 'automatic_reply')`

const hasNotWrittenSince = (cutoff: Date) =>
  sql<boolean>`not exists (select 1 from lead_events where ${fromVisitor} and at >= ${cutoff.toISOString()})`

// No owner has to do anything, or has just done or begun it: the person may write again. And there
// is no message since the last answer that nobody has read. An owner can answer without opening the
// lead, for example from an email program.
const isDoneBefore = (time: Date) => sql<boolean>`list <> 'open' and sort_key < ${time.toISOString()}
  and not exists (select 1 from lead_drafts where lead_id = leads.id and updated_at >= ${time.toISOString()})
  and not exists (select 1 from files where lead_id = leads.id and at >= ${time.toISOString()})
  and not (seen_at is null and state <> 'spam'
    and exists (select 1 from lead_events where ${fromVisitor} and id > ${lastAnswerId}))`

// A webhook request that has waited for too long doesn't keep its lead: LEAD_WEBHOOK_URL may have
// been removed. A list of leads, which replaces notices, belongs to no single lead.
const isDelivered = (now: Date) => sql<boolean>`awaits_list = 0
  and not exists (select 1 from outbox where lead_id = leads.id and ((kind = 'owner_notice' and state = 'failed')
    or (state in ('queued', 'sending')
      and (kind <> 'webhook' or queued_at > ${new Date(now.getTime() - GIVE_UP_AFTER_MS).toISOString()}))))
  and not ${isNamedIn("state in ('queued', 'sending')")} and not ${isNamedIn("state = 'failed'")}`

// Each state has its own index: without it, this would read the whole outbox for each lead.
const isNamedIn = (state: string) => sql<boolean>`exists (select 1 from outbox where kind = 'notice_list'
  and ${sql.raw(state)} and cast(content as text) like '%' || leads.reference || '%')`

/**
 * Deletes what identifies the client of a lead, after a day: then it no longer counts toward a
 * limit.
 */
export async function forgetClients(db: Database, now: Date): Promise<void> {
  const known = db
    .selectFrom('leads')
    .select('id')
    .where('client', 'is not', null)
    .where('created_at', '<=', new Date(now.getTime() - DAY_MS).toISOString())
  // Without this, the update would take the database's only write lock every minute, or wait for
  // it.
  if (!(await known.limit(1).executeTakeFirst())) return
  await db.updateTable('leads').set({ client: null, form_token: null }).where('id', 'in', known).execute()
}
