import { useQuery } from '@tanstack/react-query'
import { CHECKS_BEFORE_END, SESSION_CHECK_MS, type Session, session } from '#shared/inbox/api.ts'
import { ApiError, callApi } from './api.ts'
import { keys } from './query-client.ts'
import { serverNow } from './server-clock.ts'
import { noteOwner } from './session-owner.ts'

export type SessionState =
  /** `error`: why the session could not be checked. */
  | { name: 'loading'; error: ApiError | null }
  /** `isEnding`: the session ends within 90 s (three checks). */
  | { name: 'signed-in'; session: Session; isEnding: boolean }
  /** Nobody has signed in, or the session has ended. The page must keep what the owner typed. */
  | { name: 'signed-out' }

/** Who is signed in. Checks every 30 s while the page is visible. */
export function useSession(): SessionState {
  const { data, error } = useQuery<Session | null, ApiError>({
    queryKey: keys.session,
    queryFn: ({ signal }) => readSession(signal),
    refetchInterval: SESSION_CHECK_MS,
    // The state also depends on the time, so rerender after each check.
    notifyOnChangeProps: ['data', 'error', 'dataUpdatedAt', 'errorUpdatedAt'],
  })
  return toState(data, serverNow(), error)
}

async function readSession(signal: AbortSignal): Promise<Session | null> {
  try {
    const found = await callApi('/session', session, { signal })
    noteOwner(found.owner)
    return found
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

export function toState(
  found: Session | null | undefined,
  nowMs: number,
  error: ApiError | null = null,
): SessionState {
  if (found === undefined) return { name: 'loading', error }
  if (found === null) return { name: 'signed-out' }
  const leftMs = Date.parse(found.endsAt) - nowMs
  return { name: 'signed-in', session: found, isEnding: leftMs <= CHECKS_BEFORE_END * SESSION_CHECK_MS }
}
