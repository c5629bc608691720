import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { joinDatabase } from '../database/open-database.ts'
import type { Database } from '../database/schema.ts'
import { parseEnv } from '../env.ts'
import { describeStartError } from '../start-error.ts'
import { formatLead, formatLeadTable } from './format-lead.ts'
import { findLead, listLeads } from './read-leads.ts'

const DEFAULT_LIMIT = 20

const program = new Command('leads').description('The stored quote requests. Safe beside the running server.')

program
  .command('list')
  .description('the newest leads, a line each, with the state of their mails')
  .option('-n, --limit <count>', 'how many at most', wholeNumber, DEFAULT_LIMIT)
  .option('--json', 'as a JSON array')
  .action(({ limit, json }: { limit: number; json?: true }) =>
    withDatabase(async (db) => {
      const leads = await listLeads(db, limit)
      print(json ? JSON.stringify(leads, null, 2) : formatLeadTable(leads, process.stdout.columns))
    }),
  )

program
  .command('show <reference>')
  .description('one lead, whole, with every attempt to mail it')
  .option('--json', 'as a JSON object')
  .action((reference: string, { json }: { json?: true }) =>
    withDatabase(async (db) => {
      const lead = await findLead(db, reference.trim().toUpperCase())
      if (!lead) throw new Error(`There is no lead ${reference}.`)
      print(json ? JSON.stringify(lead, null, 2) : formatLead(lead))
    }),
  )

async function withDatabase(work: (db: Database) => Promise<void>) {
  const { DATA_DIR } = parseEnv(process.env)
  if (!existsSync(join(DATA_DIR, 'leads.db')))
    throw new Error(`There are no leads yet: ${DATA_DIR} has no leads.db.`)
  const db = joinDatabase(DATA_DIR)
  await work(db).finally(() => db.destroy())
}

function wholeNumber(value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('Expected a whole number above 0.')
}

function print(text: string) {
  process.stdout.write(`${text}\n`)
}

// `leads list | head`: whoever reads has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

try {
  await program.parseAsync()
} catch (error) {
  const isPlain = error instanceof Error && error.constructor === Error
  process.stderr.write(`${isPlain ? error.message : describeStartError(error)}\n`)
  process.exit(1)
}
