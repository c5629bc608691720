import { plans } from '#facts/plans.ts'
import type { Figures } from '#shared/inbox/api.ts'
import { sourceInWords } from '#shared/inbox/source-in-words.ts'
import { parseSource } from '../../leads/lead-source.ts'
import { mondayOf } from '../../leads/office-time.ts'
import type { WeekFigures } from './read-week.ts'
import type { Read } from './reader.ts'

const WEEKS = 12
const MAX_SOURCES = 12
const OTHER = 'Other'

type Week = WeekFigures & { week: string }

/** The figures for the last 12 weeks. Reads one week at a time, so that other reads don't wait for all 12. */
export async function readFigures(read: Read, now: Date, signal: AbortSignal): Promise<Figures> {
  const weeks: Week[] = []
  for (let back = WEEKS - 1; back >= 0; back--) {
    const week = mondayOf(now, back)
    const input = { week, until: mondayOf(now, back - 1), now: now.toISOString() }
    weeks.push({ week, ...(await read('week', input, signal)) })
  }
  return combine(weeks)
}

export function combine(weeks: readonly Week[]): Figures {
  return {
    weeks: weeks.map(({ week, plans, medianMinutesToAnswer }) => ({
      week,
      leads: total(plans, ({ leads }) => leads),
      due: total(plans, ({ due }) => due),
      answered: total(plans, ({ answered }) => answered),
      onTime: total(plans, ({ onTime }) => onTime),
      medianMinutesToAnswer,
    })),
    plans: countByName(
      weeks.flatMap((week) => week.plans),
      ({ budget }) => planName(budget),
    ),
    sources: combineRare(countSources(weeks.flatMap((week) => week.sources))),
  }
}

const total = <Item>(items: readonly Item[], count: (item: Item) => number) =>
  items.reduce((sum, item) => sum + count(item), 0)

/** How many leads came from each known source, most frequent first. */
export const countSources = (sources: WeekFigures['sources']): Figures['sources'] =>
  countByName(sources, ({ source }) => (source === null ? OTHER : sourceInWords(parseSource(source))))

/** Adds up the leads of each name, most frequent name first. Leaves out items without a name. */
export function countByName<Item extends { leads: number }>(
  items: readonly Item[],
  nameOf: (item: Item) => string | null,
) {
  return [...Map.groupBy(items, nameOf)]
    .flatMap(([name, group]) => (name === null ? [] : { name, leads: total(group, ({ leads }) => leads) }))
    .toSorted((a, b) => b.leads - a.leads || a.name.localeCompare(b.name))
}

/** Combines rare sources into "Other", because a chart has room for only a few. */
export function combineRare(sources: Figures['sources']): Figures['sources'] {
  const named = sources.filter(({ name }) => name !== OTHER)
  const others =
    total(sources, ({ leads }) => leads) - total(named.slice(0, MAX_SOURCES), ({ leads }) => leads)
  return [...named.slice(0, MAX_SOURCES), ...(others > 0 ? [{ name: OTHER, leads: others }] : [])]
}

const planName = (budget: string) =>
  plans.find(({ id }) => id === budget)?.name ?? (budget === 'custom' ? 'Custom' : 'No plan chosen')
