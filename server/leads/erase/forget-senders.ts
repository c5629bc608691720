import { readAsides, type SetAside, writeNote } from '../../database/notes.ts'
import type { Database } from '../../database/schema.ts'

/**
 * Forgets who sent messages that could not be read. `erasedAt`: when the person with an address was
 * erased. While a server or another command may change the notes, call it in `changeAsides`.
 */
export async function forgetSenders(
  db: Database,
  erasedAt: (address: string) => string | undefined,
): Promise<void> {
  const isErased = ({ from, at }: SetAside) => from !== undefined && at <= (erasedAt(from) ?? '')
  for (const { folder, of, messages } of await readAsides(db)) {
    if (!messages.some(isErased)) continue
    const kept = messages.map(({ from, ...message }) =>
      from === undefined || isErased({ from, ...message }) ? message : { ...message, from },
    )
    await writeNote(db, `mailbox_aside_${folder}`, { of, messages: kept })
  }
}
