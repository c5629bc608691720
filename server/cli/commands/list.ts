import type { Command } from 'commander'
import {
  type FilterOptions,
  filterOf,
  print,
  printJson,
  terminalWidth,
  withDatabase,
  withFilter,
} from '../command-line.ts'
import { explainStates, formatLeadTable } from '../format-lead.ts'
import { wholeNumber } from '../options.ts'
import { type LeadFilter, type LeadRecord, PAGE_SIZE, readLeads } from '../read-leads.ts'
import { printable } from '../terminal-text.ts'

const DEFAULT_LIMIT = 20

type Options = FilterOptions & { limit: number; json?: true }

/** `leads list` */
export function addList(program: Command) {
  withFilter(program.command('list'))
    .description('the newest leads, a line each, with the state of their mails')
    .option('-n, --limit <count>', 'how many at most', wholeNumber, DEFAULT_LIMIT)
    .option('--json', 'as a JSON array, with everything that is stored about them')
    .action((words: string[], { limit, json, ...options }: Options) =>
      withDatabase(async (db) => {
        const filter = filterOf(words, options)
        const leads: LeadRecord[] = []
        // One more than wanted, to know whether there are more; a search has to look at many to find few.
        const pageSize = filter.search || filter.suspects ? undefined : Math.min(limit + 1, PAGE_SIZE)
        for await (const lead of readLeads(db, filter, pageSize)) {
          leads.push(lead)
          if (leads.length > limit) break
        }
        if (json) printJson(leads.slice(0, limit))
        else print(describe(leads, limit, filter))
      }),
    )
}

function describe(leads: LeadRecord[], limit: number, filter: LeadFilter): string {
  if (leads.length === 0 && filter.search) return `No matching leads for "${printable(filter.search)}".`
  if (leads.length === 0) return Object.keys(filter).length > 0 ? 'No matching leads.' : 'No leads yet.'
  const shown = leads.slice(0, limit)
  return [
    formatLeadTable(shown, terminalWidth()),
    ...explainStates(shown),
    ...(leads.length > limit ? [`There are more: --limit ${limit * 5}`] : []),
  ].join('\n')
}
