import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { plans } from '#facts/plans.ts'
import type { Figures } from '#shared/inbox/api.ts'
import { sourceInWords } from '#shared/inbox/words.ts'
import type { Database } from '../../database/schema.ts'
import { parseSource } from '../../leads/lead-store.ts'
import { mondayOf, startOfOfficeDay } from '../../leads/office-time.ts'
import { isOpenSuspect } from '../../leads/spam-score.ts'

const WEEKS = 12
// A chart has room for only a few sources.
const MAX_SOURCES = 12
// How many leads one query reads. On SQLite, that takes about 5 ms, during which the server does nothing else.
const STEP = 1_000

type Week = Figures['weeks'][number]
type Counts = Map<string, number>

/** The figures for the last 12 weeks. Spam and suspected spam are not counted. */
export async function readFigures(db: Database, now: Date): Promise<Figures> {
  const weeks: Week[] = []
  const plans: Counts = new Map()
  const sources: Counts = new Map()
  const add = (counts: Counts, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
  for (let back = WEEKS - 1; back >= 0; back--)
    weeks.push(
      await readWeek(db, now, back, ({ budget, source }) => {
        add(plans, planName(budget))
        const name = sourceInWords(parseSource(source))
        if (name !== null) add(sources, name)
      }),
    )
  const named = mostFrequent(sources)
  const rest = named.slice(MAX_SOURCES).reduce((sum, { leads }) => sum + leads, 0)
  return {
    weeks,
    plans: mostFrequent(plans),
    sources: [...named.slice(0, MAX_SOURCES), ...(rest > 0 ? [{ name: 'Other', leads: rest }] : [])],
  }
}

/** The figures for the week that contains `now`, or for an earlier one. Calls `onLead` for each of its leads. */
export async function readWeek(
  db: Database,
  now: Date,
  weeksBack: number,
  onLead: (lead: Lead) => void = () => {},
): Promise<Week> {
  const week = mondayOf(now, weeksBack)
  const end = startOfOfficeDay(mondayOf(now, weeksBack - 1)).toISOString()
  const sums = { leads: 0, due: 0, answered: 0, onTime: 0 }
  const minutesToAnswer: number[] = []
  let position = { created_at: startOfOfficeDay(week).toISOString(), id: '' }
  for (let isDone = false; !isDone; await nextTurn()) {
    const leads = await readLeads(db, position, end)
    for (const lead of leads) {
      if (lead.state === 'spam' || isOpenSuspect(lead)) continue
      onLead(lead)
      sums.leads++
      const { created_at, answered_at, due_at } = lead
      if (answered_at || due_at <= now.toISOString()) sums.due++
      if (!answered_at) continue
      sums.answered++
      if (answered_at <= due_at) sums.onTime++
      minutesToAnswer.push(minutesBetween(created_at, answered_at))
    }
    position = leads.at(-1) ?? position
    isDone = leads.length < STEP
  }
  return { week, ...sums, medianMinutesToAnswer: roundedMedian(minutesToAnswer) }
}

type Lead = Awaited<ReturnType<typeof readLeads>>[number]

/** The next leads after a position, oldest first. */
const readLeads = (db: Database, { created_at, id }: { created_at: string; id: string }, end: string) =>
  db
    .selectFrom('leads')
    .select(['id', 'created_at', 'answered_at', 'due_at', 'budget', 'source'])
    .select(['state', 'spam_score', 'verdict'])
    .where(sql<boolean>`(created_at, id) > (${created_at}, ${id})`)
    .where('created_at', '<', end)
    .orderBy('created_at')
    .orderBy('id')
    .limit(STEP)
    .execute()

const planName = (budget: string) =>
  plans.find(({ id }) => id === budget)?.name ?? (budget === 'custom' ? 'Custom' : 'No plan chosen')

const mostFrequent = (counts: Counts) =>
  [...counts]
    .map(([name, leads]) => ({ name, leads }))
    .toSorted((a, b) => b.leads - a.leads || a.name.localeCompare(b.name))

/** The minutes from one time to a later one. Both are ISO 8601 times. */
export const minutesBetween = (from: string, until: string): number =>
  (Date.parse(until) - Date.parse(from)) / 60_000

/** The median: for an even count, the mean of the two middle values. Null if there are no values. */
export function roundedMedian(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2)
}
