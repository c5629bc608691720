import type { Query } from '@tanstack/react-query'
import { ApiError } from './api.ts'
import { keys, queryClient, retryInMs } from './query-client.ts'
import { createRefresh } from './refresh.ts'

/** Whether a query is about data that owners and visitors change. */
const isAboutLeads = ({ queryKey: [subject] }: Query) =>
  subject !== keys.session[0] && subject !== keys.access[0]

const hasFailed = ({ state: { status, error } }: Query) =>
  status === 'error' && error instanceof ApiError && error.isTransient

/** Refetches everything about leads that the page shows, and marks the rest as stale. */
export const refresh = createRefresh({
  async fetchAll() {
    await queryClient.invalidateQueries({ predicate: isAboutLeads }, { cancelRefetch: false })
    return !queryClient
      .getQueryCache()
      .findAll({ type: 'active' })
      .some((query) => isAboutLeads(query) && hasFailed(query))
  },
  isFetching: () => queryClient.isFetching({ predicate: isAboutLeads }) > 0,
  retryInMs: (retries) => retryInMs(retries, new ApiError(0, '')),
})
