import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError, Option } from 'commander'
import { joinDatabase } from '../database/open-database.ts'
import type { Database } from '../database/schema.ts'
import { parseEnv } from '../env.ts'
import { describeStartError } from '../start-error.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import { formatLead, formatLeadTable } from './format-lead.ts'
import { reference, since, wholeNumber } from './options.ts'
import { deliveries, findLead, type LeadFilter, readLeads } from './read-leads.ts'

const DEFAULT_LIMIT = 20
// Of what is no terminal: long enough for `leads list | grep`.
const WIDTH_OF_A_PIPE = 200

type Json = { json?: true }

const program = new Command('leads')
  .description('The stored quote requests. Safe beside the running server.')
  .exitOverride()
  .addHelpText(
    'after',
    `
Times are those of the office. Exit codes: ${exitCodes.ok} done, ${exitCodes.failed} failed, ${exitCodes.usage} wrong usage, ${exitCodes.nothingDone} nothing done (not found, or declined).`,
  )

const filtered = (command: Command) =>
  command
    .option('--search <text>', 'in any field, whatever the case and the accents')
    .addOption(new Option('--state <state>', 'of its mails').choices(deliveries))
    .option('--since <when>', 'a day (2026-03-31) or a span back from now (12h, 7d, 4w)', since)

filtered(program.command('list'))
  .description('the newest leads, a line each, with the state of their mails')
  .option('-n, --limit <count>', 'how many at most', wholeNumber, DEFAULT_LIMIT)
  .option('--json', 'as a JSON array, with everything that is stored about them')
  .action(({ limit, json, ...filter }: LeadFilter & Json & { limit: number }) =>
    withDatabase(async (db) => {
      const leads = []
      // One more than wanted, to know whether there are more.
      for await (const lead of readLeads(db, filter, Math.min(limit + 1, 500))) {
        leads.push(lead)
        if (leads.length > limit) break
      }
      print(json ? toJson(leads.slice(0, limit)) : listed(leads, limit, Object.keys(filter).length > 0))
    }),
  )

function listed(leads: Parameters<typeof formatLeadTable>[0], limit: number, isFiltered: boolean): string {
  if (leads.length === 0) return isFiltered ? 'No lead is like that.' : 'No leads yet.'
  const table = formatLeadTable(leads.slice(0, limit), terminalWidth())
  return leads.length > limit ? `${table}\nThere are more: --limit ${limit * 5}` : table
}

program
  .command('show')
  .argument('<reference>', 'such as Q-7K3M-9QXD', reference)
  .description('one lead, whole, with every attempt to mail it and what the mail server said')
  .option('--json', 'as a JSON object')
  .action((wanted: string, { json }: Json) =>
    withDatabase(async (db) => {
      const lead = await findLead(db, wanted)
      if (!lead) throw new CommandError(`There is no lead ${wanted}.`, exitCodes.nothingDone)
      print(json ? toJson(lead) : formatLead(lead))
    }),
  )

async function withDatabase(work: (db: Database, dataDir: string) => Promise<void>) {
  const { DATA_DIR } = parseEnv(process.env)
  if (!existsSync(join(DATA_DIR, 'leads.db')))
    throw new CommandError(`There are no leads yet: ${DATA_DIR} has no leads.db.`)
  const db = joinDatabase(DATA_DIR)
  await work(db, DATA_DIR).finally(() => db.destroy())
}

const terminalWidth = () => process.stdout.columns || Number(process.env.COLUMNS) || WIDTH_OF_A_PIPE
const toJson = (value: unknown) => JSON.stringify(value, null, 2)

function print(text: string) {
  process.stdout.write(`${text}\n`)
}

function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage
  process.stderr.write(`${error instanceof CommandError ? error.message : describeStartError(error)}\n`)
  return error instanceof CommandError ? error.exitCode : exitCodes.failed
}

// `leads list | head`: whoever reads has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? exitCodes.ok : exitCodes.failed),
)

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = exitCodeOf(error)
}
