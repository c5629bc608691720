import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
} from '@tanstack/react-query'
import { access, figures, SESSION_CHECK_MS, type Session, session, summary } from '#shared/inbox/api.ts'
import {
  type LeadDetail,
  type LeadPage,
  type LeadRow,
  type LeadView,
  lead,
  leadPage,
} from '#shared/inbox/lead.ts'
import { type ApiError, callApi } from './api.ts'
import { keys, queryClient } from './query-client.ts'

// What changes without any event is refetched this often: leads become late.
const REFRESH_EVERY_MS = 60_000

/** Who is signed in; null if nobody is. Checked every 30 s while the page is visible. */
export const sessionQuery = queryOptions({
  queryKey: keys.session,
  queryFn: (): Promise<Session | null> =>
    callApi('/session', session).catch((error: ApiError) => {
      if (error.status === 401) return null
      throw error
    }),
  refetchInterval: SESSION_CHECK_MS,
})

/** The figures above the list, and whether emails go out. */
export const summaryQuery = queryOptions({
  queryKey: keys.summary,
  queryFn: () => callApi('/summary', summary),
  refetchInterval: REFRESH_EVERY_MS,
})

export const figuresQuery = queryOptions({
  queryKey: keys.figures,
  queryFn: () => callApi('/figures', figures),
})

/** Signed-in devices and passkeys. */
export const accessQuery = queryOptions({
  queryKey: keys.access,
  queryFn: () => callApi('/access', access),
})

/** The leads of a view or, with a search, all matching leads. Pass a search only after a pause in typing. */
export const listQuery = (view: LeadView, search = '') =>
  infiniteQueryOptions({
    queryKey: keys.list(view, search),
    queryFn: ({ pageParam: after }) =>
      search
        ? callApi('/leads/search', leadPage, { method: 'POST', body: { search, ...(after && { after }) } })
        : callApi(`/leads?${new URLSearchParams({ view, ...(after && { after }) })}`, leadPage),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

/** The path of a lead, without the `/api` in front. */
export const pathOf = (reference: string): string => `/leads/${encodeURIComponent(reference)}`

export const leadQuery = (reference: string) =>
  queryOptions({ queryKey: keys.lead(reference), queryFn: () => callApi(pathOf(reference), lead) })

/** The lead as the page shows it. */
export const shownLead = (reference: string): LeadDetail | undefined =>
  queryClient.getQueryData<LeadDetail>(keys.lead(reference))

type Pages = InfiniteData<LeadPage, string>

/** The lead's row in a list that the page has loaded. */
export const findRow = (reference: string): LeadRow | undefined =>
  queryClient
    .getQueriesData<Pages>({ queryKey: keys.lists })
    .flatMap(([, list]) => list?.pages.flatMap(({ leads }) => leads) ?? [])
    .find((row) => row.reference === reference)

/** Changes a lead wherever the page shows it. */
export function patchLead(reference: string, patch: Partial<LeadDetail>): void {
  queryClient.setQueryData<LeadDetail>(keys.lead(reference), (lead) => lead && { ...lead, ...patch })
  const patchRow = (row: LeadRow) => (row.reference === reference ? { ...row, ...patch } : row)
  queryClient.setQueriesData<Pages>(
    { queryKey: keys.lists },
    (list) =>
      list && { ...list, pages: list.pages.map((page) => ({ ...page, leads: page.leads.map(patchRow) })) },
  )
}
