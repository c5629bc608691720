import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { isShared } from '../../database/differences.ts'
import type { Database } from '../../database/schema.ts'
import { erasePerson, leadsFrom, leadsNaming } from '../../leads/erase-person.ts'
import {
  CommandError,
  exitCodes,
  print,
  printJson,
  type Surroundings,
  withDatabase,
} from '../command-line.ts'
import { askToErase, describeErasure } from '../describe-erasure.ts'
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
        if (!yes) await confirm(askToErase(email, references, holding))
        const ids = leads.map(({ id }) => id)
        const result = await erase(db, surroundings, { address: email, ids })
        if (json) printJson({ email, ...result })
        else print(describeErasure(email, result))
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
      process.stderr.write('An email about it is being sent: waiting for that, two minutes at most.\n')
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

/** What an erasure has done, and what it could not do. */
export type Erasure = Awaited<ReturnType<typeof erase>>

const isComplete = ({ stillIn, isOurs, unusable, unread, newer }: Erasure) =>
  (stillIn.length === 0 || isOurs) && [unusable, unread, newer].every(({ length }) => length === 0)
