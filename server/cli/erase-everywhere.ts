import { join } from 'node:path'
import { isShared } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { erasePerson, leadsFrom, leadsNaming } from '../leads/erase-person.ts'
import { eraseFromCopies } from './erase-from-copies.ts'
import { filesHolding } from './files-holding.ts'
import type { CommandContext } from './with-database.ts'

type Person = Parameters<typeof erasePerson>[1]

/** Erases a person from the database, the eml files and the backups, then looks for what is left. */
export async function eraseEverywhere(db: Database, context: CommandContext, person: Person) {
  const { dataDir, now } = context
  const { address } = person
  let isAnnounced = false
  const erased = await erasePerson({ db, mailDir: join(dataDir, 'mail'), now }, person, () => {
    if (!isAnnounced)
      process.stderr.write('An email about this person is being sent. Waiting for it, up to two minutes.\n')
    isAnnounced = true
  })
  const keptIds = async () => (await leadsFrom(db, address)).map(({ id }) => id)
  const copies = await eraseFromCopies(context, { address, keptIds })
  // Check the disk again instead of trusting the results.
  const { holding, unread } = await filesHolding(context, address)
  return {
    ...erased,
    ...copies,
    stillIn: holding,
    unread,
    isElsewhere: isShared(db),
    namedBy: (await leadsNaming(db, address)).map(({ reference }) => reference),
  }
}

/** What an erasure did, and what it could not do. */
export type ErasureReport = Awaited<ReturnType<typeof eraseEverywhere>>
