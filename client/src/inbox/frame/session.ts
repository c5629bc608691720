import { createContext, useContext } from 'react'
import type { Session } from '#shared/inbox/api.ts'

/** Asks the owner to sign in again, and shows `why`. Resolves to false if the owner closes the dialog. */
export type SignInAgain = (why: string) => Promise<boolean>

type Owner = { session: Session; isEnding: boolean; signInAgain: SignInAgain }

export const SessionContext = createContext<Owner | undefined>(undefined)

/** Who is signed in. Use it only inside `SessionGate`. */
export function useOwner(): Owner {
  const owner = useContext(SessionContext)
  if (!owner) throw new Error('useOwner works only inside SessionGate.')
  return owner
}
