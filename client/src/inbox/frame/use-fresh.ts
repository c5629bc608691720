import { FRESH_MINUTES } from '#shared/inbox/api.ts'
import { serverNow } from '../data/server-clock.ts'
import { useOwner } from './session.ts'

// Asks a bit early, so that the sign-in is still recent when the server gets the request.
const MARGIN_MS = 30_000

/** If the last sign-in isn't recent, asks the owner to sign in again. Resolves to false if the owner gave up. */
export function useFresh(): (why: string) => Promise<boolean> {
  const { session, signInAgain } = useOwner()
  return async (why) => {
    const ageMs = serverNow() - Date.parse(session.signedInAt)
    return ageMs < FRESH_MINUTES * 60_000 - MARGIN_MS || signInAgain(why)
  }
}
