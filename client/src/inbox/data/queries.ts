import { keepPreviousData, type UseQueryResult, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Access, access, type Figures, figures, type Summary, summary } from '#shared/inbox/api.ts'
import { type LeadDetail, type LeadRow, type LeadView, lead, leadPage } from '#shared/inbox/lead.ts'
import { type ApiError, callApi } from './api.ts'
import { findRow, pathOf } from './lead-cache.ts'
import { markSeen } from './mark-seen.ts'
import { keys } from './query-client.ts'

// What changes without any event is refetched this often: leads become late, and devices go out of use.
const REFRESH_EVERY_MS = 60_000

export type ReadResult<Data> = UseQueryResult<Data, ApiError>

export type Leads = {
  /** Undefined until the first page has loaded. */
  rows: LeadRow[] | undefined
  error: ApiError | null
  /** Whether the rows belong to the previous search or view. */
  isPrevious: boolean
  hasMore: boolean
  isLoadingMore: boolean
  loadMore: () => void
  retry: () => void
}

/** Reads the leads of a view or, with `search`, all matching leads. Pass a search only after a pause in typing. */
export function useLeads({ view, search = '' }: { view: LeadView; search?: string }): Leads {
  const list = useInfiniteQuery({
    queryKey: keys.leads(view, search),
    queryFn: ({ pageParam, signal }) =>
      search
        ? callApi('/leads/search', leadPage, {
            method: 'POST',
            body: { search, ...(pageParam && { after: pageParam }) },
            signal,
          })
        : callApi(listPath({ view, after: pageParam }), leadPage, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
  // React Query rerenders a component only if a value that it has read changes. Reading this one keeps `loadMore` current.
  const { isFetching } = list
  return {
    rows: list.data && withoutRepeats(list.data.pages.flatMap(({ leads }) => leads)),
    error: list.error as ApiError | null,
    isPrevious: list.isPlaceholderData,
    hasMore: list.hasNextPage,
    isLoadingMore: list.isFetchingNextPage,
    loadMore: () => void (isFetching || list.fetchNextPage()),
    retry: () => void list.refetch(),
  }
}

/** The path of one page of a list, without the `/api` in front. */
export function listPath({ view, after = '' }: { view: LeadView; after?: string }) {
  const query = new URLSearchParams({ view, ...(after && { after }) })
  return `/leads?${query}`
}

/** Removes repeated leads: if a lead moves while pages are fetched, it can be on two pages. */
export function withoutRepeats(rows: readonly LeadRow[]): LeadRow[] {
  return [...new Map(rows.map((row) => [row.reference, row])).values()]
}

/** Reads a lead and marks it as seen. While the lead loads, `useLeadRow` may have its row from a list. */
export function useLead(reference: string): ReadResult<LeadDetail> {
  const found = useQuery<LeadDetail, ApiError>({
    queryKey: keys.lead(reference),
    queryFn: ({ signal }) => callApi(pathOf(reference), lead, { signal }),
  })
  const isUnread = found.data?.isUnread ?? false
  useEffect(() => {
    if (isUnread) void markSeen(reference)
  }, [reference, isUnread])
  return found
}

/** The lead's row, if the page has already loaded it. */
export const useLeadRow = (reference: string): LeadRow | undefined => findRow(reference)

/** The figures above the list, and whether emails go out. */
export const useSummary = (): ReadResult<Summary> =>
  useQuery<Summary, ApiError>({
    queryKey: keys.summary,
    queryFn: ({ signal }) => callApi('/summary', summary, { signal }),
    refetchInterval: REFRESH_EVERY_MS,
  })

export const useFigures = (): ReadResult<Figures> =>
  useQuery<Figures, ApiError>({
    queryKey: keys.figures,
    queryFn: ({ signal }) => callApi('/figures', figures, { signal }),
  })

/** Signed-in devices and passkeys. */
export const useAccess = (): ReadResult<Access> =>
  useQuery<Access, ApiError>({
    queryKey: keys.access,
    queryFn: ({ signal }) => callApi('/access', access, { signal }),
    refetchInterval: REFRESH_EVERY_MS,
  })
