import { type Command, CommanderError, Option } from 'commander'
import { replaceSteering } from '#shared/steering-characters.ts'
import { joinStorage } from '../database/open-storage.ts'
import type { Database } from '../database/schema.ts'
import { parseEnv } from '../env.ts'
import { describeStartError } from '../start-error.ts'
import { since } from './options.ts'
import { type LeadFilter, mailStates } from './read-leads.ts'

/** What a script learns from a command; the README and `leads --help` name them. */
export const exitCodes = { done: 0, failed: 1, usage: 2, nothingDone: 3 } as const

/** An end that is told in one sentence, without a stack. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

// Of what is no terminal: long enough for `leads list | grep`.
const WIDTH_OF_A_PIPE = 200

/** How many columns a line may have. */
export const terminalWidth = (): number =>
  process.stdout.columns || Number(process.env.COLUMNS) || WIDTH_OF_A_PIPE

/** What a command needs to know beside the database. */
export type Surroundings = { dataDir: string; backupDir: string; now: () => Date }

/** Gives `work` the database beside the running server, and closes it whatever happens. */
export async function withDatabase(
  work: (db: Database, surroundings: Surroundings) => Promise<void>,
): Promise<void> {
  const env = parseEnv(process.env)
  const storage = await joinStorage(env)
  if (!storage) throw new CommandError(`There are no leads yet: ${env.DATA_DIR} has no leads.db.`)
  const { db, now, close } = storage
  await work(db, { dataDir: env.DATA_DIR, backupDir: env.BACKUP_DIR, now }).finally(close)
}

/** The options by which leads are chosen, the same for every command that has them. */
export const withFilter = (command: Command): Command =>
  command
    .argument('[words...]', 'the same as --search')
    .option(
      '--search <words...>',
      'with this in any field, whatever the case, the accents and the phone format',
    )
    .addOption(new Option('--state <state>', 'whose emails are in this state').choices(mailStates))
    .option('--suspects', 'only those suspected of being spam')
    .option('--no-suspects', 'without those')
    .option(
      '--since <when>',
      'received since a day (2026-03-31, yesterday, monday) or a span ago (12h, 7d, 4w, "2 months")',
      since,
    )

export type FilterOptions = Omit<LeadFilter, 'search'> & { search?: string[] }

/** The filter that the words and options of a command ask for. */
export function filterOf(
  words: string[],
  { since, state, suspects, search = [] }: FilterOptions,
): LeadFilter {
  const text = [...search, ...words].join(' ').trim()
  return {
    ...(since && { since }),
    ...(state && { state }),
    ...(suspects !== undefined && { suspects }),
    ...(text && { search: text }),
  }
}

/** For people, on stdout. */
export function print(text: string) {
  process.stdout.write(`${text}\n`)
}

/** For programs; on a terminal it is harmless all the same. */
export function printJson(value: unknown) {
  print(escapeSteering(JSON.stringify(value, null, 2)))
}

/** JSON escapes only the first 32 control characters; whatever else steers a terminal, it may escape as well. */
export const escapeSteering = (json: string): string =>
  replaceSteering(json, (run) => run.replace(/[^\n]/g, escapeCodeUnit))

const escapeCodeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Tells the error as its reader needs it and returns what to exit with. */
export function endWith(error: unknown): number {
  // commander has said it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  process.stderr.write(`${error instanceof CommandError ? error.message : describeStartError(error)}\n`)
  return error instanceof CommandError ? error.exitCode : exitCodes.failed
}
