import { sql } from 'kysely'
import { minutesBetween } from '../../database/differences.ts'
import type { Database } from '../../database/schema.ts'
import { startOfOfficeDay } from '../../leads/office-time.ts'
import { openSuspect } from '../../leads/spam-score.ts'
import { middleOf } from './median.ts'

// A link can contain any campaign name, so there can be as many sources as leads.
const MAX_SOURCES = 500

/** `until`: the day after the week's last day. */
type Input = { week: string; until: string; now: string }
export type WeekFigures = {
  plans: { budget: string; leads: number; due: number; answered: number; onTime: number }[]
  /** `source` as it is stored; null stands for all sources that are too rare to be listed. */
  sources: { source: string | null; leads: number }[]
  medianMinutesToAnswer: number | null
}

/** The figures for one week in the office time zone. Spam and suspected spam are not counted. */
export async function readWeek(db: Database, { week, until, now }: Input): Promise<WeekFigures> {
  const leads = db
    .selectFrom('leads')
    .where('created_at', '>=', startOfOfficeDay(week).toISOString())
    .where('created_at', '<', startOfOfficeDay(until).toISOString())
    .where(sql<boolean>`state <> 'spam'`)
    .where(sql<boolean>`not ${openSuspect}`)
  const plans = await leads
    .select(({ fn }) => [
      'budget',
      fn.countAll<number>().as('leads'),
      sql<number>`count(case when answered_at is not null or (due_at <= ${now} and not ${isFromBefore}) then 1 end)`.as(
        'due',
      ),
      fn.count<number>('answered_at').as('answered'),
      sql<number>`count(case when answered_at <= due_at then 1 end)`.as('onTime'),
    ])
    .groupBy('budget')
    .execute()
  const sources = await leads
    .select(({ fn }) => ['source', fn.countAll<number>().as('leads')])
    .groupBy('source')
    .orderBy('leads', 'desc')
    .limit(MAX_SOURCES)
    .execute()
  const listed = sources.reduce((sum, source) => sum + source.leads, 0)
  const all = plans.reduce((sum, plan) => sum + plan.leads, 0)

  const { skip, take } = middleOf(plans.reduce((sum, { answered }) => sum + answered, 0))
  const middle = await leads
    .select(minutesToAnswer(db).as('minutes'))
    .where('answered_at', 'is not', null)
    .orderBy('minutes')
    .offset(skip)
    .limit(take)
    .execute()
  const medianMinutesToAnswer =
    middle.length === 0
      ? null
      : Math.round(middle.reduce((sum, { minutes }) => sum + Number(minutes), 0) / middle.length)
  return {
    plans,
    sources: [...sources, ...(all > listed ? [{ source: null, leads: all - listed }] : [])],
    medianMinutesToAnswer,
  }
}

// Leads that were probably answered before there was an inbox: migration 008 set their `seen_at` to `created_at`. They
// don't count as due, unless an owner has reopened them.
const isFromBefore = sql<boolean>`(state <> 'open' and coalesce(seen_at, '') = created_at)`

const minutesToAnswer = (db: Database) => minutesBetween(db, 'created_at', 'answered_at')
