import { plans } from '#shared/business.ts'
import type { Figures } from '#shared/inbox/api.ts'
import { leadSource } from '#shared/inbox/lead.ts'
import { mondayOf } from '../../leads/office-time.ts'
import type { WeekFigures } from './read-week.ts'
import type { Read } from './reader.ts'

const WEEKS = 12
const MAX_SOURCES = 12
const OTHERS = 'Others'

type Week = WeekFigures & { week: string }

/** The figures of the last weeks. Each week is a separate read, so that other reads wait for one week at most. */
export async function readFigures(read: Read, now: Date, signal: AbortSignal): Promise<Figures> {
  const weeks: Week[] = []
  for (let back = WEEKS - 1; back >= 0; back--) {
    const week = mondayOf(now, back)
    weeks.push({ week, ...(await read('week', { week, until: mondayOf(now, back - 1) }, signal)) })
  }
  return addUp(weeks)
}

/** Adds up weeks. */
export function addUp(weeks: readonly Week[]): Figures {
  return {
    weeks: weeks.map(({ week, plans, medianMinutesToAnswer }) => ({
      week,
      leads: total(plans, ({ leads }) => leads),
      answered: total(plans, ({ answered }) => answered),
      inTime: total(plans, ({ inTime }) => inTime),
      medianMinutesToAnswer,
    })),
    plans: byName(
      weeks.flatMap((week) => week.plans),
      ({ budget }) => planName(budget),
    ),
    sources: withOthers(
      byName(
        weeks.flatMap((week) => week.sources),
        ({ source }) => (source === null ? OTHERS : sourceName(source)),
      ),
    ),
  }
}

const total = <Item>(items: readonly Item[], count: (item: Item) => number) =>
  items.reduce((sum, item) => sum + count(item), 0)

/** The most frequent first. */
function byName<Item extends { leads: number }>(items: readonly Item[], nameOf: (item: Item) => string) {
  return [...Map.groupBy(items, nameOf)]
    .map(([name, group]) => ({ name, leads: total(group, ({ leads }) => leads) }))
    .toSorted((a, b) => b.leads - a.leads || a.name.localeCompare(b.name))
}

/** Sums up rare sources: a chart has room for only a few. */
function withOthers(sources: Figures['sources']): Figures['sources'] {
  const named = sources.filter(({ name }) => name !== OTHERS)
  const others =
    total(sources, ({ leads }) => leads) - total(named.slice(0, MAX_SOURCES), ({ leads }) => leads)
  return [...named.slice(0, MAX_SOURCES), ...(others > 0 ? [{ name: OTHERS, leads: others }] : [])]
}

const planName = (budget: string) =>
  plans.find(({ id }) => id === budget)?.name ?? (budget === 'custom' ? 'Custom' : 'No plan chosen')

/** The name of a campaign, or of the website that linked here. */
function sourceName(stored: string): string {
  try {
    const { parameters, referrer } = leadSource.parse(JSON.parse(stored))
    return parameters?.utm_source || referrer || (parameters?.gclid ? 'Google Ads' : 'Direct')
  } catch {
    return 'Direct'
  }
}
