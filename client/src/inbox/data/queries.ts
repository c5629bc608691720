import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type Query,
  QueryClient,
  type QueryState,
  queryOptions,
  useMutation,
} from '@tanstack/react-query'
import { access, figures, SESSION_CHECK_MS, type Session, session, summary } from '#shared/inbox/api.ts'
import {
  eventPage,
  type LeadDetail,
  type LeadPage,
  type LeadRow,
  type LeadView,
  lead,
  leadPage,
} from '#shared/inbox/lead.ts'
import { savedReplies } from '#shared/inbox/saved-replies.ts'
import { retryDelayMs } from '../../contact/retry-delay.ts'
import { type ApiError, callApi, onSignedOut, post, type ResponseSchema } from './api.ts'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiError
  }
}

const MAX_RETRIES = 3
// When a component appears, it doesn't refetch data that is younger than this.
const FRESH_MS = 2_000

/**
 * Whether to retry a request: at most three times, and only after a
 * lost response or a server error.
 */
export const isWorthRetrying = (retries: number, error: ApiError): boolean =>
  retries < MAX_RETRIES && error.isTransient

/** Milliseconds until the next attempt. */
export const retryInMs = (retries: number, error?: ApiError): number =>
  retryDelayMs(retries, Math.random(), error?.retryAfterMs)

// A read that has failed, also after its retries, is repeated after this long.
const REPEAT_MS = 5_000

/** Milliseconds until a query is fetched again although no event says so; false if never. */
const repeatInMs = ({ state }: { state: QueryState<unknown, ApiError> }): number | false =>
  state.error?.isTransient ? REPEAT_MS : false

// Requests are sent even if the browser reports being offline: it can
// be wrong, for example on localhost.
const networkMode = 'always'

/**
 * The page's only query client. Data that no page shows is dropped after
 * five minutes, the default. Changes are retried only where that is safe.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: isWorthRetrying,
      retryDelay: retryInMs,
      refetchInterval: repeatInMs,
      networkMode,
    },
    mutations: { retryDelay: retryInMs, networkMode },
  },
})

export const keys = {
  session: ['session'],
  lists: ['leads'],
  list: (view: string, search: string) => ['leads', view, search],
  lead: (reference: string) => ['lead', reference],
  /** What was typed and isn't saved yet, and which share of a file was sent. */
  typed: (what: 'answer' | 'to' | 'note' | 'sent' | 'saved', reference: string) => ['typed', what, reference],
  /** Of mutations whose result the page shows before the server has confirmed it. */
  change: ['change'],
} as const

queryClient.setQueryDefaults(['typed'], { gcTime: Number.POSITIVE_INFINITY })

/** Forgets everything that was typed and isn't saved yet, about one lead or all. */
export function forgetTyped(reference?: string): void {
  queryClient.removeQueries({
    queryKey: ['typed'],
    predicate: ({ queryKey }) => reference === undefined || queryKey.includes(reference),
  })
  // Otherwise, the browser would ask before it leaves the page during an upload.
  if (reference === undefined) queryClient.getMutationCache().clear()
}

/** Whether the event stream reports changes to the query's data. */
const isLive = ({ queryKey: [subject] }: Query) => subject !== 'session' && subject !== 'typed'

/** Whether something that the page shows could not be fetched lately. */
export const hasFailed = (): boolean =>
  queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    .some((query) => isLive(query) && query.state.fetchFailureReason?.isTransient)

/** Fetches everything that the page shows, except the session. Ends reads that began before. */
export const refresh = (): Promise<void> => queryClient.invalidateQueries({ predicate: isLive })

/** The options that all changes share: the page is refreshed afterward. */
export const changeOptions = {
  mutationKey: keys.change,
  onSettled: () => void refresh(),
}

/** The options of a change to one lead: such changes are sent in order. */
export const changeTo = (reference: string) => ({
  ...changeOptions,
  scope: { id: reference },
})

onSignedOut(() => {
  // While nobody is signed in, each attempt to save a draft calls this listener. If each call set
  // null again, the session would count as just checked, and the next check would never come.
  const known = queryClient.getQueryData(keys.session)
  if (known === null) return
  queryClient.setQueryData(keys.session, null)
  // Check the session again: somebody may have signed in with this browser since the request
  // was sent. Until the next task, a check that has found nobody still counts as running.
  if (known)
    setTimeout(() => queryClient.invalidateQueries({ queryKey: keys.session }, { cancelRefetch: false }))
})

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

/** A query that is named like its address. */
const queryOf = <Output>(name: string, schema: ResponseSchema<Output>) =>
  queryOptions({ queryKey: [name], queryFn: () => callApi(`/${name}`, schema) })

/** The figures above the list, and whether emails go out. */
export const summaryQuery = queryOptions({
  ...queryOf('summary', summary),
  refetchInterval: (query) => repeatInMs(query) || REFRESH_EVERY_MS,
  // For the title of the tab: the stream of changes is closed then.
  refetchIntervalInBackground: true,
})

export const figuresQuery = queryOf('figures', figures)

/** Signed-in devices and passkeys. */
export const accessQuery = queryOf('access', access)

/** The texts that owners keep for their answers. */
export const repliesQuery = queryOf('replies', savedReplies)

/**
 * The leads of a view or, with a search, all matching leads. Pass a
 * search only after a pause in typing.
 */
export const listQuery = (view: LeadView, search = '') =>
  infiniteQueryOptions({
    queryKey: keys.list(view, search),
    queryFn: ({ pageParam: after }) =>
      search
        ? post('/leads/search', leadPage, { search, ...(after && { after }) })
        : callApi(`/leads?${new URLSearchParams({ view, ...(after && { after }) })}`, leadPage),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

/** The path of a lead, without the `/api` in front. */
export const pathOf = (reference: string): string => `/leads/${encodeURIComponent(reference)}`

export const leadQuery = (reference: string) =>
  queryOptions({
    queryKey: keys.lead(reference),
    queryFn: async () => {
      const fetched = await callApi(pathOf(reference), lead)
      return withEarlier(fetchedLead(reference), fetched)
    },
  })

/**
 * A lead that was fetched again has only the newest part of its history. Adds what
 * the page shows of the rest, unless that has a gap now, or somebody was erased.
 */
export function withEarlier(shown: LeadDetail | undefined, fetched: LeadDetail): LeadDetail {
  const [first] = fetched.events
  if (!shown || !first || !fetched.hasEarlier) return fetched
  const known = fetched.senders.map(({ address }) => address)
  const isErased = shown.senders.some(({ address }) => !known.includes(address))
  const hasGap = !shown.events.some(({ id }) => id === first.id)
  if (isErased || hasGap) return fetched
  const earlier = shown.events.filter(({ id }) => id < first.id)
  return { ...fetched, events: [...earlier, ...fetched.events], hasEarlier: shown.hasEarlier }
}

/**
 * Fetches the part of a lead's history that comes before what the page shows. `onLoad`: is called
 * before the page shows it.
 */
export const useEarlier = ({ reference, events: [first] }: LeadDetail, onLoad?: () => void) =>
  useMutation({
    retry: isWorthRetrying,
    mutationFn: () => callApi(`${pathOf(reference)}/events?before=${first?.id ?? 0}`, eventPage),
    onSuccess({ events, hasEarlier }) {
      onLoad?.()
      queryClient.setQueryData<LeadDetail>(keys.lead(reference), (lead) => {
        // It has been loaded twice, or forgotten since.
        if (!lead || lead.events[0]?.id !== first?.id) return lead
        return { ...lead, events: [...events, ...lead.events], hasEarlier }
      })
    },
  })

/** The lead as it was last fetched, with what later responses have said about it. */
export const fetchedLead = (reference: string): LeadDetail | undefined =>
  queryClient.getQueryData<LeadDetail>(keys.lead(reference))

type Pages = InfiniteData<LeadPage, string>

/** The lead's row in a list that the page has loaded. */
export const findRow = (reference: string): LeadRow | undefined =>
  queryClient
    .getQueriesData<Pages>({ queryKey: keys.lists })
    .flatMap(([, list]) => list?.pages.flatMap(({ leads }) => leads) ?? [])
    .find((row) => row.reference === reference)

/** Adds what a response says about a lead, wherever the page shows it. */
export function patchLead(reference: string, patch: Partial<LeadDetail>): void {
  queryClient.setQueryData<LeadDetail>(keys.lead(reference), (lead) => lead && { ...lead, ...patch })
  changeRows((rows) => rows.map((row) => (row.reference === reference ? { ...row, ...patch } : row)))
}

/** Removes a lead that was erased. Otherwise, its row could get the focus, which would then be lost. */
export function forgetLead(reference: string): void {
  queryClient.removeQueries({ queryKey: keys.lead(reference) })
  changeRows((rows) => rows.filter((row) => row.reference !== reference))
  forgetTyped(reference)
}

const changeRows = (change: (rows: LeadRow[]) => LeadRow[]) =>
  queryClient.setQueriesData<Pages>(
    { queryKey: keys.lists },
    (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, leads: change(page.leads) })) },
  )
