import { QueryClient } from '@tanstack/react-query'
import { retryDelayMs } from '../../contact/retry-delay.ts'
import { ApiError, onSignedOut } from './api.ts'

// Data that no page shows is dropped after this long.
const UNUSED_DATA_MS = 5 * 60 * 1000
const MAX_RETRIES = 3
// When a component appears, it doesn't refetch data that is younger than this.
const FRESH_MS = 2_000

/** Whether to retry a request: at most three times, and only after a lost response or a server error. */
export const isWorthRetrying = (retries: number, error: Error): boolean =>
  retries < MAX_RETRIES && error instanceof ApiError && error.isTransient

/** Milliseconds until the next attempt. */
export const retryInMs = (retries: number, error: Error): number =>
  retryDelayMs(retries, Math.random(), error instanceof ApiError ? error.retryAfterMs : 0)

/** The page's only query client, for `QueryClientProvider`. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      gcTime: UNUSED_DATA_MS,
      staleTime: FRESH_MS,
      retry: isWorthRetrying,
      retryDelay: retryInMs,
      // Fetch even if the browser reports being offline: it can be wrong, for example on localhost.
      networkMode: 'always',
      refetchOnReconnect: true,
      refetchOnWindowFocus: true,
    },
  },
})

export const keys = {
  leads: (view: string, search: string) => ['leads', view, search] as const,
  allLeads: ['leads'] as const,
  lead: (reference: string) => ['lead', reference] as const,
  /** A changed lead's row, stored apart from the lists, because after the change, the lead may be in none of them. */
  changedRow: (reference: string) => ['changed', reference] as const,
  summary: ['summary'] as const,
  figures: ['figures'] as const,
  access: ['access'] as const,
  session: ['session'] as const,
}

onSignedOut(() => {
  // While nobody is signed in, each attempt to save a draft calls this listener. If each call set null again, the session
  // would count as just checked, and the next check would never come.
  if (queryClient.getQueryData(keys.session) === null) return
  queryClient.setQueryData(keys.session, null)
  // Check the session again: another owner may have signed in with this browser.
  void queryClient.invalidateQueries({ queryKey: keys.session }, { cancelRefetch: false })
})
