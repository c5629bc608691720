import { once } from 'node:events'
import { createWriteStream, rmSync, type WriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { count } from '../../count.ts'
import type { Database } from '../../database/schema.ts'
import {
  CommandError,
  exitCodes,
  type FilterOptions,
  filterOf,
  withDatabase,
  withFilter,
} from '../command-line.ts'
import { counted, inChunks, toCsv, toJsonLines, toRawCsv } from '../export-leads.ts'
import { createProgress } from '../progress.ts'
import { type LeadFilter, readLeads } from '../read-leads.ts'

// Names, addresses and messages: for the owner of the file alone.
const OWNER_ONLY = 0o600

type Options = FilterOptions & { json?: true; raw?: true; output?: string }

/** `leads export` */
export function addExport(program: Command) {
  withFilter(program.command('export'))
    .description('all leads, or those chosen, as CSV for a spreadsheet')
    .option('--raw', 'as CSV for other programs, such as a CRM: values as they are stored, times in UTC')
    .option('--json', 'as JSON instead: everything that is stored, as it is stored')
    .option('-o, --output <file>', 'a new file, readable by you alone; otherwise to stdout')
    .action((words: string[], { json, raw, output, ...options }: Options) =>
      withDatabase(async (db) => {
        const filter = filterOf(words, options)
        const format = json ? toJsonLines : raw ? toRawCsv : toCsv
        if (!output && process.stdout.isTTY)
          throw new CommandError('Name a file for the leads: --output leads.csv', exitCodes.usage)
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
    // Half of the leads would look like all of them.
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
    throw new CommandError(`${output} already exists. Remove it, or choose another name.`)
  }
}

async function countLeads(db: Database): Promise<number> {
  const { leads } = await db
    .selectFrom('leads')
    .select(({ fn }) => fn.countAll<number>().as('leads'))
    .executeTakeFirstOrThrow()
  return leads
}
