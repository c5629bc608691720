import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Figures } from '#shared/inbox/api.ts'
import type { LeadResult } from '#shared/inbox/lead.ts'
import { planName } from '#shared/inbox/plan-name.ts'
import { sourceInWords } from '#shared/inbox/words.ts'
import { mondayOf, startOfOfficeDay } from '#shared/office-time.ts'
import { officeMinutesBetween } from '#shared/promise-clock.ts'
import type { Database } from '../../database/schema.ts'
import { lowestIdSince } from '../lead-id.ts'
import { isOpenSuspect, parseSource } from '../lead-store.ts'

// Enough for a stable median.
const RECENT_ANSWERS = 100
// With fewer, each answer would change the median a lot.
const MIN_ANSWERS = 10

/**
 * The median of the minutes in office hours until the last answered leads got their answer. Null if
 * there are too few.
 */
export async function medianToAnswer(db: Database): Promise<number | null> {
  const answered = await db
    .selectFrom('leads')
    .select(['created_at', 'answered_at'])
    .where('answered_at', 'is not', null)
    .orderBy('answered_at', 'desc')
    .limit(RECENT_ANSWERS)
    .execute()
  if (answered.length < MIN_ANSWERS) return null
  return roundedMedian(
    answered.map(({ created_at, answered_at }) => officeMinutes(created_at, String(answered_at))),
  )
}

const WEEKS = 12
// A chart has room for only a few sources.
const MAX_SOURCES = 12
// How many leads one query reads. On SQLite, that takes about 5 ms, during which the server does
// nothing else.
const STEP = 1_000

type Week = Figures['weeks'][number]
type Group = Figures['plans'][number]
type Groups = Map<string, Group>

/** The figures for the last 12 weeks. Spam and suspected spam are not counted. */
export async function readFigures(db: Database, now: Date): Promise<Figures> {
  const plans: Groups = new Map()
  const sources: Groups = new Map()
  const add = (groups: Groups, name: string, result: LeadResult | null) => {
    const group = groups.get(name) ?? { name, leads: 0, won: 0, lost: 0 }
    group.leads++
    if (result) group[result]++
    groups.set(name, group)
  }
  const weeks = await readWeeks(db, now, WEEKS - 1, ({ budget, source, result }) => {
    add(plans, planName(budget), result)
    const name = sourceInWords(parseSource(source))
    if (name !== null) add(sources, name, result)
  })
  const named = mostFrequent(sources)
  const rest = named.slice(MAX_SOURCES)
  return {
    weeks,
    plans: mostFrequent(plans),
    sources: [...named.slice(0, MAX_SOURCES), ...(rest.length > 0 ? [together('Other', rest)] : [])],
  }
}

/**
 * The figures of the week that is this many weeks back, and of all later ones until now. Calls
 * `onLead` for each of their leads.
 */
export async function readWeeks(
  db: Database,
  now: Date,
  weeksBack: number,
  onLead: (lead: Lead) => void = () => {},
): Promise<Week[]> {
  const startOf = (back: number) => startOfOfficeDay(mondayOf(now, back))
  const sums = Array.from({ length: weeksBack + 1 }, (_, index) => ({
    week: mondayOf(now, weeksBack - index),
    end: startOf(weeksBack - index - 1).toISOString(),
    leads: 0,
    due: 0,
    answered: 0,
    onTime: 0,
    minutesToAnswer: [] as number[],
  }))
  const start = startOf(weeksBack)
  let position = lowestIdSince(start)
  for (let isDone = false; !isDone; await nextTurn()) {
    const leads = await readLeadsAfter(db, position, start)
    for (const lead of leads) {
      const { created_at, answered_at, due_at, state } = lead
      const sum = sums.find(({ end }) => created_at < end)
      if (!sum || state === 'spam' || isOpenSuspect(lead)) continue
      onLead(lead)
      sum.leads++
      // Without an answer, it's only done if it needed none.
      if (answered_at || (state === 'open' && due_at <= now.toISOString())) sum.due++
      if (!answered_at) continue
      sum.answered++
      if (answered_at <= due_at) sum.onTime++
      sum.minutesToAnswer.push(officeMinutes(created_at, answered_at))
    }
    position = leads.at(-1)?.id ?? position
    isDone = leads.length < STEP
  }
  return sums.map(({ end: _, minutesToAnswer, ...sum }) => ({
    ...sum,
    medianMinutesToAnswer: roundedMedian(minutesToAnswer),
  }))
}

type Lead = Awaited<ReturnType<typeof readLeadsAfter>>[number]

/** The next leads after an id, in the order of their ids, of those that came since then. */
const readLeadsAfter = (db: Database, id: string, since: Date) =>
  db
    .selectFrom('leads')
    .select(['id', 'created_at', 'answered_at', 'budget', 'source'])
    .select(sql<string>`coalesce(first_due_at, due_at)`.as('due_at'))
    .select(['state', 'result', 'spam_score', 'verdict'])
    .where('id', '>', id)
    .where('created_at', '>=', since.toISOString())
    .orderBy('id')
    .limit(STEP)
    .execute()

const mostFrequent = (groups: Groups) =>
  [...groups.values()].toSorted((a, b) => b.leads - a.leads || a.name.localeCompare(b.name))

const together = (name: string, groups: readonly Group[]): Group => {
  const sum = (of: 'leads' | LeadResult) => groups.reduce((total, group) => total + group[of], 0)
  return { name, leads: sum('leads'), won: sum('won'), lost: sum('lost') }
}

const officeMinutes = (from: string, until: string): number =>
  officeMinutesBetween(new Date(from), new Date(until))

/**
 * The median: for an even count, the mean of the two middle values. Null if there are no values.
 */
function roundedMedian(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2)
}
