import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { plans } from '#facts/plans.ts'
import type { Figures } from '#shared/inbox/api.ts'
import { sourceInWords } from '#shared/inbox/source-in-words.ts'
import type { Database } from '../../database/schema.ts'
import { parseSource } from '../../leads/lead-store.ts'
import { mondayOf, startOfOfficeDay } from '../../leads/office-time.ts'
import { isOpenSuspect } from '../../leads/spam-score.ts'

const WEEKS = 12
// A chart has room for only a few sources.
const MAX_SOURCES = 12
// A link can contain any campaign name, so there can be as many different sources as leads. Only the most frequent are read.
const MAX_READ_SOURCES = 500
const OTHER = 'Other'
// How many leads one query reads. On SQLite, that takes about 5 ms, during which the server does nothing else.
const STEP = 1_000

type Week = Figures['weeks'][number]
type Counts = Map<string, number>

/** The figures for the last 12 weeks. Spam and suspected spam are not counted. Gives up once the signal aborts. */
export async function readFigures(db: Database, now: Date, signal?: AbortSignal): Promise<Figures> {
  const weeks: Week[] = []
  const budgets: Counts = new Map()
  const sources: Counts = new Map()
  for (let back = WEEKS - 1; back >= 0 && !signal?.aborted; back--)
    weeks.push(
      await readWeek(db, now, back, ({ budget, source }) => {
        add(budgets, budget)
        add(sources, source)
      }),
    )
  const named: Counts = new Map()
  for (const [source, leads] of mostFrequent(sources, MAX_READ_SOURCES)) {
    const name = source === OTHER ? OTHER : sourceInWords(parseSource(source))
    if (name !== null) add(named, name, leads)
  }
  return {
    weeks,
    plans: mostFrequent(budgets).map(([budget, leads]) => ({ name: planName(budget), leads })),
    sources: mostFrequent(named, MAX_SOURCES).map(([name, leads]) => ({ name, leads })),
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

function add(counts: Counts, name: string, leads = 1) {
  counts.set(name, (counts.get(name) ?? 0) + leads)
}

/** The counts, highest first. All names after the first `max` are combined into "Other", which comes last. */
function mostFrequent(counts: Counts, max = Number.POSITIVE_INFINITY): [name: string, leads: number][] {
  const { [OTHER]: other = 0, ...named } = Object.fromEntries(counts)
  const sorted = Object.entries(named).toSorted(
    ([a, leads], [b, others]) => others - leads || a.localeCompare(b),
  )
  const rest = sorted.slice(max).reduce((sum, [, leads]) => sum + leads, other)
  return [...sorted.slice(0, max), ...(rest > 0 ? [[OTHER, rest] as [string, number]] : [])]
}

/** The minutes from one time to a later one. Both are ISO 8601 times. */
export const minutesBetween = (from: string, until: string): number =>
  (Date.parse(until) - Date.parse(from)) / 60_000

/** The median: for an even count, the mean of the two middle values. Null if there are no values. */
export function roundedMedian(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2)
}
