import { rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { count } from '#shared/count.ts'
import type { Database } from '../../database/schema.ts'
import { errorFacts } from '../../errors/error-facts.ts'
import { type LeadFilter, type LeadRecord, readLeads, toJsonArray } from '../../inbox/export-leads.ts'
import { toSpreadsheet } from '../../inbox/spreadsheet.ts'
import { type FilterOptions, filterOf, withFilter } from '../options.ts'
import { CommandError, exitCodes, withDatabase } from '../run-command.ts'

// The file contains personal data.
const OWNER_ONLY = 0o600

type Options = FilterOptions & { json?: true; output?: string }

export function addExport(program: Command) {
  withFilter(program.command('export'))
    .description('export all leads, or the matching ones, for a spreadsheet (Excel)')
    .option('--json', 'JSON for other programs, with everything that is stored and times in UTC')
    .option('-o, --output <file>', 'write to a new file that only you can read; default: stdout')
    .action((words: string[], { json, output, ...options }: Options) =>
      withDatabase(async (db) => {
        const filter = filterOf(words, options)
        const format = json ? toJsonArray : toSpreadsheet
        if (!output && process.stdout.isTTY)
          throw new CommandError('Specify an output file: --output leads.xlsx', exitCodes.usage)
        const exported = await exportLeads(db, filter, format, output)
        process.stderr.write(`${count(exported, 'lead')} exported${output ? ` to ${output}` : ''}.\n`)
      }),
    )
}

type Format = (read: () => AsyncIterable<LeadRecord>) => AsyncIterable<string | Buffer>

async function exportLeads(db: Database, filter: LeadFilter, format: Format, output?: string) {
  let exported = 0
  async function* countedLeads() {
    exported = 0
    for await (const lead of readLeads(db, filter)) {
      yield lead
      exported++
    }
  }
  const source = Readable.from(format(countedLeads), { objectMode: false })
  await (output ? writeNewFile(output, source) : pipeline(source, process.stdout, { end: false }))
  return exported
}

async function writeNewFile(output: string, source: Readable) {
  const file = await open(output, 'wx', OWNER_ONLY).catch((error) => {
    if (errorFacts(error).code !== 'EEXIST') throw error
    throw new CommandError(`${output} already exists. Remove it or choose another name.`)
  })
  const stop = new AbortController()
  const onSignal = () => stop.abort(new CommandError('Stopped: nothing was exported.'))
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    await pipeline(source, file.createWriteStream(), { signal: stop.signal })
  } catch (error) {
    // A partial file would look complete.
    rmSync(output, { force: true })
    throw stop.signal.aborted ? stop.signal.reason : error
  }
}
