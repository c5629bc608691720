import { type Command, CommanderError } from 'commander'
import { openExistingStorage } from '../database/open-storage.ts'
import type { Database } from '../database/schema.ts'
import { type Env, parseEnv } from '../env.ts'
import { OperatorError } from '../errors/error-facts.ts'
import { createRedaction } from '../errors/redaction.ts'
import { restrictNewFiles } from '../files/private-files.ts'
import { describeStartError } from '../start/start-error.ts'

/** These codes are documented in commands.md and in `leads --help`. */
export const exitCodes = { done: 0, failed: 1, usage: 2, nothingDone: 3 } as const

/** An expected error, with the exit code of the command. */
export class CommandError extends OperatorError {
  override name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Reports that a command was given an unknown reference. */
export function noLead(reference: string): never {
  throw new CommandError(`There is no lead ${reference}.`, exitCodes.nothingDone)
}

/** Parses the command line and runs the command. Errors go to stderr and set the exit code. */
export async function runCommand(program: Command) {
  restrictNewFiles()
  try {
    await program.parseAsync()
  } catch (error) {
    process.exitCode = report(error)
  }
}

function report(error: unknown): number {
  // Commander has already printed this error.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
  const redact = createRedaction(process.env, process.argv.slice(2))
  process.stderr.write(`${redact(describeStartError(error))}\n`)
  return error instanceof CommandError ? error.exitCode : exitCodes.failed
}

/** Opens the database, even while the server runs, passes it to `work`, and always closes it. */
export async function withDatabase(work: (db: Database, env: Env) => Promise<void>): Promise<void> {
  const env = parseEnv(process.env)
  const db = await openExistingStorage(env)
  if (!db) throw new CommandError(`No leads yet: there is no leads.db in ${env.DATA_DIR}.`)
  await work(db, env).finally(() => db.destroy())
}
