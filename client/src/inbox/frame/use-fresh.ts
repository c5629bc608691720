import { FRESH_MINUTES } from '#shared/inbox/api.ts'
import { serverNow } from '../data/server-clock.ts'
import { useOwner } from './session.ts'

// So that a form that was just filled in does not miss the limit by a breath.
const MARGIN_MS = 30_000

/** Makes sure that the owner has just signed in, and asks if not. False: the owner gave up. */
export function useFresh(): (why: string) => Promise<boolean> {
  const { session, signInAgain } = useOwner()
  return async (why) => {
    const ageMs = serverNow() - Date.parse(session.signedInAt)
    return ageMs < FRESH_MINUTES * 60_000 - MARGIN_MS || signInAgain(why)
  }
}
