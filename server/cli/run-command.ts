import type { Command } from 'commander'
import { UnusableDatabase } from '../backup/copy-database.ts'
import { closeNewFiles } from '../files/private-files.ts'
import { describeStartError } from '../start-error.ts'

/** Parses the command line and runs what it says; an error becomes a sentence on stderr and exit code 1. */
export async function runCommand(program: Command) {
  closeNewFiles()
  try {
    await program.parseAsync()
  } catch (error) {
    const isPlain =
      error instanceof Error && (error.constructor === Error || error instanceof UnusableDatabase)
    process.stderr.write(`${isPlain ? error.message : describeStartError(error)}\n`)
    process.exitCode = 1
  }
}

/** Shows on a terminal, in one line that is drawn anew, how much is done; elsewhere nothing. */
export function showProgress(title: string) {
  return (share: number) => {
    if (!process.stderr.isTTY) return
    process.stderr.write(`\r${title} ${Math.floor(share * 100)} %${share === 1 ? '\n' : ''}`)
  }
}
