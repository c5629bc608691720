import { changeAsides, readAsides, writeNote } from '../../database/notes.ts'
import type { Database } from '../../database/schema.ts'

/** Forgets who sent messages that could not be read. For people who are erased. */
export const forgetSenders = (db: Database, addresses: readonly string[]): Promise<void> =>
  changeAsides(db, async (db) => {
    for (const { folder, of, messages } of await readAsides(db)) {
      if (!messages.some(({ from = '' }) => addresses.includes(from))) continue
      const kept = messages.map(({ from, ...message }) =>
        from === undefined || addresses.includes(from) ? message : { ...message, from },
      )
      await writeNote(db, `mailbox_aside_${folder}`, { of, messages: kept })
    }
  })
