import { once } from 'node:events'
import { createWriteStream, rmSync, type WriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { count } from '../../count.ts'
import type { Database } from '../../database/schema.ts'
import { counted, inChunks, toCsv, toJsonArray, toRawCsv } from '../export-leads.ts'
import { type FilterOptions, filterOf, withFilter } from '../filter-options.ts'
import { createProgress } from '../progress.ts'
import { type LeadFilter, readLeads } from '../read-leads.ts'
import { CommandError, exitCodes } from '../run-command.ts'
import { withDatabase } from '../with-database.ts'

// The file contains personal data.
const OWNER_ONLY = 0o600

type Options = FilterOptions & { json?: true; raw?: true; output?: string }

/** `leads export` */
export function addExport(program: Command) {
  withFilter(program.command('export'))
    .description('export all leads, or those that match, as CSV for a spreadsheet')
    .option('--raw', 'CSV for other programs, such as a CRM: values as stored, times in UTC')
    .option('--json', 'JSON instead of CSV: everything that is stored')
    .option('-o, --output <file>', 'write to a new file that only you can read; default: stdout')
    .action((words: string[], { json, raw, output, ...options }: Options) =>
      withDatabase(async (db) => {
        const filter = filterOf(words, options)
        const format = json ? toJsonArray : raw ? toRawCsv : toCsv
        if (!output && process.stdout.isTTY)
          throw new CommandError('Name a file to write: --output leads.csv', exitCodes.usage)
        const exported = await exportLeads(db, filter, format, output)
        process.stderr.write(`${count(exported, 'lead')} exported${output ? ` to ${output}` : ''}.\n`)
      }),
    )
}

async function exportLeads(db: Database, filter: LeadFilter, format: typeof toCsv, output?: string) {
  const total = Object.keys(filter).length === 0 ? ` of ${count(await countLeads(db), 'lead')}` : ''
  const progress = createProgress((number) => `${number.toLocaleString('en-US')}${total}`)
  let exported = 0
  const leads = counted(readLeads(db, filter), (number) => {
    exported = number
    progress.show(number)
  })
  const source = Readable.from(inChunks(format(leads)), { objectMode: false })
  if (output) await writeNew(output, source).finally(progress.clear)
  else await pipeline(source, process.stdout, { end: false }).finally(progress.clear)
  return exported
}

async function writeNew(output: string, source: Readable) {
  const file = await openNew(output)
  const stop = new AbortController()
  const onSignal = () => stop.abort(new CommandError('Stopped: nothing was exported.'))
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  try {
    await pipeline(source, file, { signal: stop.signal })
  } catch (error) {
    // A partial file would look complete.
    rmSync(output, { force: true })
    throw stop.signal.aborted ? stop.signal.reason : error
  }
}

async function openNew(output: string): Promise<WriteStream> {
  const file = createWriteStream(output, { flags: 'wx', mode: OWNER_ONLY })
  try {
    await once(file, 'open')
    return file
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new CommandError(`${output} already exists. Remove it or choose another name.`)
  }
}

async function countLeads(db: Database): Promise<number> {
  const { leads } = await db
    .selectFrom('leads')
    .select(({ fn }) => fn.countAll<number>().as('leads'))
    .executeTakeFirstOrThrow()
  return leads
}
