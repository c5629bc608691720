import type { Query } from '@tanstack/react-query'
import { forgetDrafts } from './drafts.ts'
import { forgetNotes } from './notes.ts'
import { keys, queryClient } from './query-client.ts'

const isPersonal = ({ queryKey: [subject] }: Query) => subject !== keys.session[0]

let last: string | undefined

/** If a different owner has signed in, discards the previous owner's drafts and notes, and fetches everything again. */
export function noteOwner(owner: string): void {
  const isOther = last !== undefined && last !== owner
  last = owner
  if (!isOther) return
  forgetDrafts()
  forgetNotes()
  void queryClient.resetQueries({ predicate: isPersonal })
}

/** Refetches everything except the session: earlier requests may have failed because nobody was signed in. */
export const fetchPersonal = (): Promise<void> => queryClient.invalidateQueries({ predicate: isPersonal })
