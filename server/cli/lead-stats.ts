import { sql } from 'kysely'
import type { ContactRequest } from '#shared/contact-request.ts'
import { count } from '../count.ts'
import type { Database } from '../database/schema.ts'
import { mondayOf, startOfOfficeDay } from '../leads/office-time.ts'
import { SUSPECT_FROM } from '../leads/spam-score.ts'

const budgets = [
  'starter',
  'professional',
  'enterprise',
  'custom',
  '',
] as const satisfies ContactRequest['budget'][]

/** One week, from the given Monday on. Only `suspects` counts suspects; `none` counts leads without a budget. */
export type WeekStats = {
  week: string
  leads: number
  suspects: number
  plans: Record<Exclude<ContactRequest['budget'], ''> | 'none', number>
}

/** Counts the leads of the last weeks in the office's time zone, oldest week first. */
export async function countWeeks(db: Database, now: Date, weeks: number): Promise<WeekStats[]> {
  const stats: WeekStats[] = []
  for (let back = weeks - 1; back >= 0; back--) {
    const week = mondayOf(now, back)
    stats.push(await countWeek(db, week, startOfOfficeDay(week), startOfOfficeDay(mondayOf(now, back - 1))))
  }
  return stats
}

async function countWeek(db: Database, week: string, from: Date, until: Date): Promise<WeekStats> {
  const suspects = sql<number>`sum(case when spam_score >= ${SUSPECT_FROM} then 1 else 0 end)`
  const rows = await db
    .selectFrom('leads')
    .select(['budget', ({ fn }) => fn.countAll<number>().as('all'), suspects.as('suspects')])
    .where('created_at', '>=', from.toISOString())
    .where('created_at', '<', until.toISOString())
    .groupBy('budget')
    .execute()
  const leadsOf = new Map(rows.map(({ budget, all, suspects }) => [budget, all - Number(suspects)]))
  const plans = Object.fromEntries(budgets.map((budget) => [budget || 'none', leadsOf.get(budget) ?? 0]))
  return {
    week,
    leads: [...leadsOf.values()].reduce((sum, leads) => sum + leads, 0),
    suspects: rows.reduce((sum, row) => sum + Number(row.suspects), 0),
    plans: plans as WeekStats['plans'],
  }
}

const marks = { starter: '█', professional: '▓', enterprise: '▒', custom: '░', none: '·' } as const
const planNames = Object.keys(marks) as (keyof typeof marks)[]
const WEEK_WIDTH = 'WEEK OF     LEADS  '.length

/** A bar chart with one line per week, and the totals. */
export function formatWeeks(weeks: WeekStats[], width: number): string {
  const most = Math.max(1, ...weeks.map(({ leads }) => leads))
  const perMark = Math.max(1, most / Math.max(10, width - WEEK_WIDTH))
  const total = (key: keyof typeof marks) => weeks.reduce((sum, { plans }) => sum + plans[key], 0)
  const suspects = weeks.reduce((sum, week) => sum + week.suspects, 0)
  return [
    `WEEK OF     LEADS  ${planNames.map((name) => `${marks[name]} ${name}`).join('  ')}`,
    ...weeks.map(({ week, leads, plans }) =>
      `${week}${String(leads).padStart(7)}  ${bar(plans, perMark)}`.trimEnd(),
    ),
    '',
    `In ${count(weeks.length, 'week')}: ${planNames.map((name) => `${total(name)} ${name}`).join(', ')}.`,
    ...(suspects > 0
      ? [`Not counted: ${count(suspects, 'suspect')}, probably spam. See "leads list --suspects".`]
      : []),
  ].join('\n')
}

/** Rounds the running total up, so that the parts add up to the bar and every lead shows. */
function bar(plans: WeekStats['plans'], perMark: number): string {
  let leads = 0
  let text = ''
  for (const name of planNames) {
    leads += plans[name]
    text += marks[name].repeat(Math.max(0, Math.ceil(leads / perMark) - text.length))
  }
  return text
}
