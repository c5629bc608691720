import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { isShared } from '../../database/differences.ts'
import type { Database } from '../../database/schema.ts'
import { erasePerson, leadsFrom, leadsNaming } from '../../leads/erase-person.ts'
import {
  CommandError,
  count,
  exitCodes,
  print,
  printJson,
  type Surroundings,
  withDatabase,
} from '../command-line.ts'
import { eraseFromCopies } from '../erase-from-copies.ts'
import { filesHolding } from '../files-holding.ts'
import { address } from '../options.ts'

/** `leads erase` */
export function addErase(program: Command) {
  program
    .command('erase')
    .argument('<email>', 'the address of the person to forget', address)
    .description('everything that came from an address, backups included; asks first')
    .option('-y, --yes', 'do not ask; needed where there is no terminal')
    .option('--json', 'what went, as a JSON object')
    .action((email: string, { yes, json }: { yes?: true; json?: true }) =>
      withDatabase(async (db, surroundings) => {
        const leads = await leadsFrom(db, email)
        const { holding, unread } = await filesHolding(surroundings, email)
        if (leads.length === 0 && holding.length === 0) throw nothingStored(email, unread)
        const references = leads.map(({ reference }) => reference)
        if (!yes) await confirm(question(email, references, holding))
        const ids = leads.map(({ id }) => id)
        const result = await erase(db, surroundings, { address: email, ids })
        if (json) printJson({ email, ...result })
        else print(describe(email, result))
        if (!isComplete(result)) process.exitCode = exitCodes.failed
      }),
    )
}

const nothingStored = (email: string, unread: string[]) =>
  unread.length > 0
    ? new CommandError(
        `Nothing was found about ${email}, but this could not be looked into: ${unread.join(', ')}.`,
        exitCodes.failed,
      )
    : new CommandError(`Nothing is stored about ${email}.`, exitCodes.nothingDone)

function question(email: string, references: string[], files: string[]): string {
  const found =
    references.length > 0 ? `${count(references.length, 'lead')} (${some(references)})` : 'no lead'
  return `From ${email} there is ${found}. The address stands in ${count(files.length, 'file')} (${some(files)}).
Erase all of it, in the backups too? This cannot be undone. [y/N] `
}

async function confirm(text: string) {
  if (!process.stdin.isTTY)
    throw new CommandError('There is no terminal to ask on. Add --yes to erase without.', exitCodes.usage)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(text).finally(() => terminal.close())
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('Nothing was erased.', exitCodes.nothingDone)
}

type Person = Parameters<typeof erasePerson>[1]

async function erase(db: Database, surroundings: Surroundings, person: Person) {
  const { dataDir, now } = surroundings
  const { address } = person
  let isTold = false
  const erased = await erasePerson({ db, mailDir: join(dataDir, 'mail'), now }, person, () => {
    if (!isTold)
      process.stderr.write('A mail about it is being sent: waiting for that, two minutes at most.\n')
    isTold = true
  })
  const keptIds = async () => (await leadsFrom(db, address)).map(({ id }) => id)
  const copies = await eraseFromCopies(surroundings, { address, keptIds })
  // Read from the disk again, rather than believed.
  const { holding, unread } = await filesHolding(surroundings, address)
  return {
    ...erased,
    ...copies,
    stillIn: holding,
    unread,
    isElsewhere: isShared(db),
    namedBy: (await leadsNaming(db, address)).map(({ reference }) => reference),
  }
}

type Result = Awaited<ReturnType<typeof erase>>

const isComplete = ({ stillIn, isOurs, unusable, unread, newer }: Result) =>
  (stillIn.length === 0 || isOurs) && [unusable, unread, newer].every(({ length }) => length === 0)

function describe(email: string, result: Result): string {
  const { references, mails, unsent, attempts, copies, isOurs } = result
  const { newer, erasedFrom, unusable, unread, isLogEmpty, stillIn, namedBy, isElsewhere } = result
  return [
    `Erased: ${count(references.length, 'lead')}${references.length > 0 ? ` (${some(references)})` : ''}`,
    `        ${count(mails, 'mail')}, ${unsent} of them not yet sent, with ${count(attempts, 'line')} of their ledger`,
    `        ${count(copies, 'file')} in the mail folder`,
    `        the same in ${count(erasedFrom.length, 'backup')}${erasedFrom.length > 0 ? ` (${some(erasedFrom)})` : ''}`,
    ...(newer.length > 0
      ? [
          `${count(newer.length, 'newer lead')} arrived meanwhile and ${newer.length === 1 ? 'was' : 'were'} kept: ${some(newer)}. Run erase again to remove ${newer.length === 1 ? 'it' : 'them'}.`,
        ]
      : []),
    ...(unusable.length > 0
      ? [
          `Could not be opened, and may hold it: ${some(unusable)}. Run erase again when nothing else uses it.`,
        ]
      : []),
    // All of them: nobody else says which.
    ...(unread.length > 0 ? [`Could not be looked into, and may hold it: ${unread.join(', ')}.`] : []),
    ...(isLogEmpty ? [] : ['Another program is reading the database: close it and run erase again.']),
    ...(namedBy.length > 0
      ? [`The text of ${some(namedBy)} names the address. That is somebody else's lead and was left.`]
      : []),
    stillIn.length > 0
      ? `${email} still stands in: ${some(stillIn)}${isOurs ? '. It is an address of this site, and as such it stays.' : ''}`
      : `${email} stands in no ${unread.length > 0 ? 'other ' : ''}file of the data directory any more.`,
    `Not within reach: copies of the data kept elsewhere${isElsewhere ? ", PostgreSQL's own log and backups" : ''}, and mails that were sent.`,
  ].join('\n')
}

const SOME = 5
const some = (names: string[]) =>
  names.length > SOME
    ? `${names.slice(0, SOME).join(', ')} and ${names.length - SOME} more`
    : names.join(', ')
