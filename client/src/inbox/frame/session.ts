import { createContext, useContext } from 'react'
import type { Session } from '#shared/inbox/api.ts'

/** Asks the owner to sign in again, for an action that needs a recent sign-in. Resolves to false if the owner gave up. */
export type SignInAgain = (why: string) => Promise<boolean>

type Owner = { session: Session; isEnding: boolean; signInAgain: SignInAgain }

export const SessionContext = createContext<Owner | undefined>(undefined)

/** Who is signed in. Use it only inside `SessionGate`. */
export function useOwner(): Owner {
  const owner = useContext(SessionContext)
  if (!owner) throw new Error('Only signed-in pages have an owner.')
  return owner
}
