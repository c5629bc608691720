import type { Command } from 'commander'
import { UnusableDatabase } from '../backup/copy-database.ts'
import { closeNewFiles } from '../files/private-files.ts'
import { describeStartError } from '../start-error.ts'
import { hintOnNpm } from './taken-by-npm.ts'

/** Parses the command line and runs what it says; an error becomes a sentence on stderr and exit code 1. */
export async function runCommand(program: Command) {
  closeNewFiles()
  try {
    const hint = hintOnNpm(program, process.argv.slice(2), process.env)
    if (hint) throw new Error(hint)
    await program.parseAsync()
  } catch (error) {
    process.stderr.write(`${isPlain(error) ? error.message : describeStartError(error)}\n`)
    process.exitCode = 1
  }
}

// A plain Error of ours is a sentence already; one with a code is Node's.
const isPlain = (error: unknown): error is Error =>
  error instanceof UnusableDatabase ||
  (error instanceof Error && error.constructor === Error && !('code' in error))

/** Shows on a terminal, in one line that is drawn anew, how much is done; elsewhere nothing. */
export function showProgress(title: string) {
  return (share: number) => {
    if (!process.stderr.isTTY) return
    process.stderr.write(`\r${title} ${Math.floor(share * 100)} %${share === 1 ? '\n' : ''}`)
  }
}
