import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { english } from '#shared/computed-facts.ts'
import { count } from '#shared/count.ts'
import { cleanEmail } from '#shared/text/clean-email.ts'
import { type ErasureReport, erasePerson, findPerson, type Person } from '../../leads/erase/erase-leads.ts'
import { address } from '../options.ts'
import { CommandError, exitCodes, withDatabase } from '../run-command.ts'
import { print, printJson } from '../terminal.ts'

// Other users can see arguments in the process list, but not what a program reads from stdin.
const addressOrStdin = (value: string) => sender(value === '-' ? readFileSync(0, 'utf8') : value)

/** Accepts every address from which an email can come, also those that the form refuses. */
function sender(text: string): string {
  const typed = cleanEmail(text.trim())
  return /^[^<>\n]+@[^<>\n]+$/.test(typed) ? typed : address(typed)
}

export function addErase(program: Command) {
  program
    .command('erase')
    .argument('<email>', "the person's email address, or - to read it from stdin", addressOrStdin)
    .description('erase all leads and messages from an email address; asks first')
    .option('-y, --yes', 'skip the confirmation; required without a terminal')
    .option('--json', 'print what was erased, as a JSON object')
    .action((email: string, { yes, json }: { yes?: true; json?: true }) =>
      withDatabase(async (db, { DATA_DIR: dataDir, BACKUP_DIR: backupDir }) => {
        const person = await findPerson(db, email)
        if (!yes) await confirm(`Found ${found(person)} from ${email}. Erase? This cannot be undone. [y/N] `)
        const report = await erasePerson({ db, dataDir, backupDir, now: new Date() }, person)
        if (json) printJson({ email, ...report })
        else print(describeErasure(email, report))
        const { references, messages, emails, emlFiles, notErased } = report
        if (references.length + messages + emails + emlFiles === 0) process.exitCode = exitCodes.nothingDone
        if (notErased.length > 0) process.exitCode = exitCodes.failed
      }),
    )
}

function found({ leads, others }: Person): string {
  const own = countNames(leads.map(({ reference }) => reference))
  if (others.length === 0) return own
  const messages = others.reduce((sum, lead) => sum + lead.messages, 0)
  const references = others.map(({ reference }) => reference).join(', ')
  return `${own}, and ${count(messages, 'message')} about the leads of others (${references}),`
}

/** What was erased, and where the person may still be found. */
function describeErasure(email: string, report: ErasureReport): string {
  const { references, messages, emails, emlFiles, notErased, backupsUntil } = report
  const day = new Date(backupsUntil).toLocaleDateString(english, { dateStyle: 'long' })
  return [
    `Erased: ${countNames(references)}`,
    ...(messages > 0 ? [`        ${count(messages, 'message')} about the leads of others`] : []),
    `        ${count(emails, 'email')} and their delivery log`,
    `        ${count(emlFiles, 'file')} in the mail folder`,
    ...(notErased.length > 0
      ? [
          `Could not be cleaned and may contain the address: ${notErased.join(', ')}. Close other programs that use them, and run erase again. A leads-before-restore file can be deleted instead; never delete leads.db.`,
        ]
      : []),
    `Backups can contain the person until ${day}. A restore erases the person again.`,
    `Not erased: requests from others that mention the address (to find them: leads list ${email}), copies you keep elsewhere, and emails already sent.`,
  ].join('\n')
}

const countNames = (references: readonly string[]) =>
  `${count(references.length, 'lead')}${references.length > 0 ? ` (${references.join(', ')})` : ''}`

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
