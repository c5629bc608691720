import type { Query } from '@tanstack/react-query'
import { ApiError } from './api.ts'
import { keys, queryClient, retryInMs } from './query-client.ts'
import { createRefresh } from './refresh.ts'

/** Whether the event stream reports changes to the query's data. */
const isLive = ({ queryKey: [subject] }: Query) => subject !== keys.session[0]

const hasFailed = ({ state: { status, error } }: Query) =>
  status === 'error' && error instanceof ApiError && error.isTransient

/** Refetches everything that the page shows, except the session, and marks other cached data as stale. */
export const refresh = createRefresh({
  async fetchAll() {
    await queryClient.invalidateQueries({ predicate: isLive }, { cancelRefetch: false })
    return !queryClient
      .getQueryCache()
      .findAll({ type: 'active' })
      .some((query) => isLive(query) && hasFailed(query))
  },
  isFetching: () => queryClient.isFetching({ predicate: isLive }) > 0,
  retryInMs: (retries) => retryInMs(retries, new ApiError(0, '')),
})
