import type { Command } from 'commander'
import { print, printJson, terminalWidth, withDatabase, withFilter } from '../command-line.ts'
import { explainStates, formatLeadTable } from '../format-lead.ts'
import { wholeNumber } from '../options.ts'
import { type LeadFilter, type LeadRecord, PAGE_SIZE, readLeads } from '../read-leads.ts'

const DEFAULT_LIMIT = 20

type Options = LeadFilter & { limit: number; json?: true }

/** `leads list` */
export function addList(program: Command) {
  withFilter(program.command('list'))
    .description('the newest leads, a line each, with the state of their mails')
    .option('-n, --limit <count>', 'how many at most', wholeNumber, DEFAULT_LIMIT)
    .option('--json', 'as a JSON array, with everything that is stored about them')
    .action(({ limit, json, ...filter }: Options) =>
      withDatabase(async (db) => {
        const leads: LeadRecord[] = []
        // One more than wanted, to know whether there are more; a search has to look at many to find few.
        const pageSize = filter.search ? undefined : Math.min(limit + 1, PAGE_SIZE)
        for await (const lead of readLeads(db, filter, pageSize)) {
          leads.push(lead)
          if (leads.length > limit) break
        }
        if (json) printJson(leads.slice(0, limit))
        else print(describe(leads, limit, Object.keys(filter).length > 0))
      }),
    )
}

function describe(leads: LeadRecord[], limit: number, isFiltered: boolean): string {
  if (leads.length === 0) return isFiltered ? 'No matching leads.' : 'No leads yet.'
  const shown = leads.slice(0, limit)
  return [
    formatLeadTable(shown, terminalWidth()),
    ...explainStates(shown),
    ...(leads.length > limit ? [`There are more: --limit ${limit * 5}`] : []),
  ].join('\n')
}
