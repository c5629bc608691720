import { createStoredJson } from '../../contact/stored.ts'
import type { Draft } from './draft.ts'
import { queryClient } from './queries.ts'

/** What was typed about leads and isn't saved on the server, by the key of its query. */
type Stored = { owner: string; typed: [key: readonly unknown[], value: object][] }

const stored = createStoredJson<Stored>('inbox-typed')

/** Whether an owner is the same: MAIL_TO may now write the address in other letters. */
export const isSameOwner = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/**
 * Keeps what an owner types and the server doesn't have yet in this tab, so that it survives a
 * reload, even after the session has ended. Brings back what the same owner typed before, and
 * forgets what another owner typed. Call the result to stop.
 */
export function keepTyped(owner: string): () => void {
  const { owner: before, typed } = stored.load() ?? { owner: '', typed: [] }
  for (const [key, value] of isSameOwner(before, owner) ? typed : [])
    if (!queryClient.getQueryData(key)) queryClient.setQueryData(key, value)
  write(owner)
  return queryClient.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] === 'typed') write(owner)
  })
}

function write(owner: string) {
  const typed = queryClient
    .getQueriesData<Partial<Draft>>({ queryKey: ['typed'] })
    // An answer that is saved equals the draft on the server. A note is only kept until it is
    // saved.
    .flatMap(([key, value]): Stored['typed'] =>
      value?.text && value.text !== value.base ? [[key, value]] : [],
    )
  if (typed.length > 0) stored.save({ owner, typed })
  else stored.clear()
}
