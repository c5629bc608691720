import { type SelectQueryBuilder, sql } from 'kysely'
import { MAX_COUNTED, type Summary } from '#shared/inbox/api.ts'
import { type LeadView, leadViews } from '#shared/inbox/lead.ts'
import type { Database, Schema } from '../../database/schema.ts'
import {
  isGivenUp,
  MAIL_PATIENCE_MS,
  oldestRefused,
  oldestStuck,
  readStuckForWebhook,
} from '../../outbox/backlog.ts'
import { isSmtpUsed } from '../../outbox/delivery-mode.ts'
import { minutesBetween, roundedMedian } from './figures.ts'
import { lateLeads, leadsIn, waitingLeads } from './lists.ts'

// Enough for a stable median.
const RECENT_ANSWERS = 100

type Input = { now: Date; hasMailServer: boolean }

/** The figures above the list. Counting stops at `MAX_COUNTED`. */
export async function readSummary(db: Database, { now, hasMailServer }: Input): Promise<Summary> {
  const counts = {} as Record<LeadView, number>
  for (const view of leadViews) counts[view] = await countUpTo(db, leadsIn(db, view, now))
  return {
    counts,
    waiting: await countWaiting(db, now),
    late: await countLate(db, now),
    medianMinutesToAnswer: await medianToAnswer(db),
    mail: await readMail(db, now, hasMailServer),
  }
}

/** Counts open leads, excluding suspected spam and future follow-ups. */
export const countWaiting = (db: Database, now: Date): Promise<number> => countUpTo(db, waitingLeads(db, now))

/** Counts the waiting leads whose promised reply time has passed. */
export const countLate = (db: Database, now: Date): Promise<number> => countUpTo(db, lateLeads(db, now))

async function medianToAnswer(db: Database): Promise<number | null> {
  const answered = await db
    .selectFrom('leads')
    .select(['created_at', 'answered_at'])
    .where('answered_at', 'is not', null)
    .orderBy('answered_at', 'desc')
    .limit(RECENT_ANSWERS)
    .execute()
  return roundedMedian(
    answered.map(({ created_at, answered_at }) => minutesBetween(created_at, String(answered_at))),
  )
}

/** Counts rows, but reads no more than `MAX_COUNTED`, so that it is fast even with a million leads. */
async function countUpTo<Table extends keyof Schema>(
  db: Database,
  rows: SelectQueryBuilder<Schema, Table, object>,
): Promise<number> {
  const { count } = await db
    .selectFrom(rows.select(sql`1`.as('one')).limit(MAX_COUNTED).as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Whether webhook requests, answers to visitors and the owners' emails go out. If they don't, also says since when. */
async function readMail(db: Database, now: Date, hasMailServer: boolean): Promise<Summary['mail']> {
  const isHeld = !hasMailServer && (await isSmtpUsed(db))
  const waitingSince = new Date(now.getTime() - (isHeld ? 0 : MAIL_PATIENCE_MS))
  const failed = await countUpTo(db, db.selectFrom('outbox').where(isGivenUp))
  const mail = (state: Summary['mail']['state'], since: string | null = null) => ({ state, since, failed })
  const stuckSince = await oldestStuck(db, waitingSince)
  if (isHeld || stuckSince) return mail(isHeld ? 'held' : 'waiting', stuckSince)
  if (failed > 0) {
    const givenUp = db.selectFrom('outbox').where(isGivenUp).select('queued_at')
    const oldest = await givenUp.orderBy('id').limit(1).executeTakeFirst()
    return mail('failed', oldest?.queued_at)
  }
  const refusedSince = await oldestRefused(db, waitingSince)
  if (refusedSince) return mail('refused', refusedSince)
  const leads = await readStuckForWebhook(db, waitingSince)
  if (leads && leads.waiting + leads.givenUp > 0) return mail('webhook', leads.oldestAt)
  return mail(hasMailServer ? 'ok' : 'files')
}
