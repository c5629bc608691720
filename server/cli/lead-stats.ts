import { sql } from 'kysely'
import { budgetTiers } from '#shared/budget-tiers.ts'
import type { Figures } from '#shared/inbox/api.ts'
import { count } from '../count.ts'
import type { Database } from '../database/schema.ts'
import { combineRare, countByName, countSources } from '../inbox/reads/figures.ts'
import { readWeek } from '../inbox/reads/read-week.ts'
import { mondayOf, startOfOfficeDay } from '../leads/office-time.ts'
import { openSuspect } from '../leads/spam-score.ts'
import { printable } from './terminal-text.ts'

// `none`: leads without a budget.
type Plan = keyof typeof budgetTiers | 'none'
const plans = [...Object.keys(budgetTiers), 'none'] as Plan[]
const patterns = ['█', '▓', '▒', '░', '▚', '▞', '▙', '▟']
const marks = Object.fromEntries(
  plans.map((plan, index) => [plan, plan === 'none' ? '·' : patterns[index % patterns.length]]),
) as Record<Plan, string>

/**
 * The numbers of a week, which starts on Monday. Only `suspects` counts suspected spam, and no field counts leads marked as
 * spam.
 */
type WeekStats = {
  week: string
  leads: number
  suspects: number
  plans: Record<Plan, number>
  sources: Figures['sources']
}

/** Counts the leads of the last `weeks` weeks in the office's time zone, oldest week first. */
export async function countWeeks(db: Database, now: Date, weeks: number): Promise<WeekStats[]> {
  const stats: WeekStats[] = []
  for (let back = weeks - 1; back >= 0; back--) {
    const week = mondayOf(now, back)
    const until = mondayOf(now, back - 1)
    const { sources } = await readWeek(db, { week, until, now: now.toISOString() })
    stats.push({
      ...(await countWeek(db, week, startOfOfficeDay(week), startOfOfficeDay(until))),
      sources: countSources(sources),
    })
  }
  return stats
}

async function countWeek(db: Database, week: string, from: Date, until: Date) {
  const rows = await db
    .selectFrom('leads')
    .select(({ fn }) => [
      'budget',
      fn.countAll<number>().filterWhere(sql<boolean>`not ${openSuspect} and state <> 'spam'`).as('leads'),
      fn.countAll<number>().filterWhere(openSuspect).as('suspects'),
    ])
    .where('created_at', '>=', from.toISOString())
    .where('created_at', '<', until.toISOString())
    .groupBy('budget')
    .execute()
  const leadsOf = new Map(rows.map(({ budget, leads }) => [budget || 'none', leads]))
  return {
    week,
    leads: rows.reduce((sum, { leads }) => sum + leads, 0),
    suspects: rows.reduce((sum, { suspects }) => sum + suspects, 0),
    plans: Object.fromEntries(plans.map((plan) => [plan, leadsOf.get(plan) ?? 0])) as WeekStats['plans'],
  }
}

const WEEK_WIDTH = 'WEEK OF     LEADS  '.length

/** A bar chart with one line per week, and the totals. */
export function formatWeeks(weeks: WeekStats[], width: number): string {
  const most = Math.max(1, ...weeks.map(({ leads }) => leads))
  const perMark = Math.max(1, most / Math.max(10, width - WEEK_WIDTH))
  const total = (plan: Plan) => weeks.reduce((sum, { plans }) => sum + plans[plan], 0)
  const suspects = weeks.reduce((sum, week) => sum + week.suspects, 0)
  const sources = combineRare(
    countByName(
      weeks.flatMap((week) => week.sources),
      ({ name }) => name,
    ),
  )
  return [
    `WEEK OF     LEADS  ${plans.map((plan) => `${marks[plan]} ${plan}`).join('  ')}`,
    ...weeks.map(({ week, leads, plans }) =>
      `${week}${String(leads).padStart(7)}  ${bar(plans, perMark)}`.trimEnd(),
    ),
    '',
    `In ${count(weeks.length, 'week')}: ${plans.map((plan) => `${total(plan)} ${plan}`).join(', ')}.`,
    ...(sources.length > 0
      ? [`By source: ${sources.map(({ name, leads }) => `${leads} ${printable(name)}`).join(', ')}.`]
      : []),
    ...(suspects > 0
      ? [`Not counted: ${count(suspects, 'suspect')}, probably spam. See "leads list --suspects".`]
      : []),
  ].join('\n')
}

/** Rounds up the running total instead of each part, so that the bar has the right length and a single lead gets a mark. */
function bar(leadsOf: WeekStats['plans'], perMark: number): string {
  let leads = 0
  let text = ''
  for (const plan of plans) {
    leads += leadsOf[plan]
    text += marks[plan].repeat(Math.max(0, Math.ceil(leads / perMark) - text.length))
  }
  return text
}
