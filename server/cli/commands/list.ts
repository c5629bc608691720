import type { Command } from 'commander'
import { findRecord, type LeadFilter, type LeadRecord, readLeads } from '../../inbox/export-leads.ts'
import { formatLead, formatLeadTable } from '../format-lead.ts'
import { type FilterOptions, filterOf, reference, wholeNumber, withFilter } from '../options.ts'
import { noLead, withDatabase } from '../run-command.ts'
import { print, printable, printJson, terminalWidth } from '../terminal.ts'

const DEFAULT_LIMIT = 20

type Options = FilterOptions & { limit: number; json?: true }

export function addList(program: Command) {
  withFilter(program.command('list'))
    .description(
      'list the newest leads, one per line, with the state of their emails; with --view, in the order of the inbox',
    )
    .option('-n, --limit <count>', 'list at most this many', wholeNumber, DEFAULT_LIMIT)
    .option('--json', 'print all stored data about the leads, as a JSON array')
    .action((words: string[], { limit, json, ...options }: Options) =>
      withDatabase(async (db) => {
        const filter = filterOf(words, options)
        const leads: LeadRecord[] = []
        for await (const lead of readLeads(db, filter)) {
          leads.push(lead)
          // One more than are listed: there are more.
          if (leads.length > limit) break
        }
        if (json) printJson(leads.slice(0, limit))
        else print(describe(leads, limit, filter))
      }),
    )
}

export function addShow(program: Command) {
  program
    .command('show')
    .argument('<reference>', 'the lead', reference)
    .description("show one lead in full, with every attempt to send an email and the mail server's replies")
    .option('--json', 'print the lead as a JSON object')
    .action((wanted: string, { json }: { json?: true }) =>
      withDatabase(async (db) => {
        const lead = (await findRecord(db, wanted)) ?? noLead(wanted)
        if (json) printJson(lead)
        else print(formatLead(lead))
      }),
    )
}

function describe(leads: LeadRecord[], limit: number, filter: LeadFilter): string {
  if (leads.length === 0 && filter.search) return `No matching leads for "${printable(filter.search)}".`
  if (leads.length === 0) return Object.keys(filter).length > 0 ? 'No matching leads.' : 'No leads yet.'
  const shown = leads.slice(0, limit)
  return [
    formatLeadTable(shown, terminalWidth()),
    ...(leads.length > limit ? [`There are more. To see them, add --limit ${limit * 5}`] : []),
  ].join('\n')
}
