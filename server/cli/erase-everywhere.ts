import { join } from 'node:path'
import { isShared } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { erasePerson, leadsFrom } from '../leads/erase-leads.ts'
import { eraseFromCopies } from './erase-from-copies.ts'
import { filesContaining } from './files-containing.ts'
import type { CommandContext } from './with-database.ts'

type Person = Parameters<typeof erasePerson>[1]

/** Erases a person from the database, the .eml files and the backups, then searches for the address again. */
export async function eraseEverywhere(db: Database, context: CommandContext, person: Person) {
  const { dataDir, now } = context
  const { address } = person
  const erased = await erasePerson({ db, mailDir: join(dataDir, 'mail'), now: now() }, person)
  const keptIds = async () => (await leadsFrom(db, address)).map(({ id }) => id)
  const copies = await eraseFromCopies(context, { ...person, keptIds })
  // Searches the files again, instead of trusting the results of the steps above.
  const { matching, unread } = await filesContaining(context, address)
  return {
    ...erased,
    ...copies,
    stillIn: matching,
    unread,
    isElsewhere: isShared(db),
  }
}

export type ErasureReport = Awaited<ReturnType<typeof eraseEverywhere>>
