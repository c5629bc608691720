import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { leadsFrom } from '../../leads/erase-leads.ts'
import { askToErase, describeErasure } from '../describe-erasure.ts'
import { type ErasureReport, eraseEverywhere } from '../erase-everywhere.ts'
import { filesContaining } from '../files-containing.ts'
import { address } from '../options.ts'
import { print, printJson } from '../print.ts'
import { CommandError, exitCodes } from '../run-command.ts'
import { withDatabase } from '../with-database.ts'

// Other users can see arguments in the process list, but not what a program reads from stdin.
const addressOrStdin = (value: string) => address(value === '-' ? readFileSync(0, 'utf8') : value)

export function addErase(program: Command) {
  program
    .command('erase')
    .argument('<email>', "the person's email address, or - to read it from stdin", addressOrStdin)
    .description('erase everything that was sent from an email address, in the backups too; asks first')
    .option('-y, --yes', 'skip the confirmation; required without a terminal')
    .option('--json', 'print what was erased, as a JSON object')
    .action((email: string, { yes, json }: { yes?: true; json?: true }) =>
      withDatabase(async (db, context) => {
        const leads = await leadsFrom(db, email)
        const { matching, unread } = await filesContaining(context, email)
        if (leads.length === 0 && matching.length === 0) throw nothingStored(email, unread)
        const references = leads.map(({ reference }) => reference)
        if (!yes) await confirm(askToErase(email, references, matching))
        const ids = leads.map(({ id }) => id)
        const report = await eraseEverywhere(db, context, { address: email, ids })
        if (json) printJson({ email, ...report })
        else print(describeErasure(email, report))
        if (!isComplete(report)) process.exitCode = exitCodes.failed
      }),
    )
}

const nothingStored = (email: string, unread: string[]) =>
  unread.length > 0
    ? new CommandError(
        `Found nothing about ${email}, but could not read: ${unread.join(', ')}.`,
        exitCodes.failed,
      )
    : new CommandError(`Nothing is stored about ${email}.`, exitCodes.nothingDone)

async function confirm(question: string) {
  if (!process.stdin.isTTY)
    throw new CommandError(
      'Cannot ask for confirmation without a terminal. Add --yes to erase without asking.',
      exitCodes.usage,
    )
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(question).finally(() => terminal.close())
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was erased.', exitCodes.nothingDone)
}

const isComplete = ({ stillIn, isOurs, unusable, unread, newer }: ErasureReport) =>
  (stillIn.length === 0 || isOurs) && [unusable, unread, newer].every(({ length }) => length === 0)
