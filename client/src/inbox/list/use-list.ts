import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { type LeadRow, type LeadView, leadViews } from '#shared/inbox/lead.ts'
import { serverNow } from '../data/api.ts'
import { usePending } from '../data/pending.ts'
import { listQuery } from '../data/queries.ts'
import { useDelayed } from '../data/timers.ts'

const SEARCH_DELAY_MS = 180

export type List = ReturnType<typeof useList>

/** The view in a URL. */
export const viewIn = (parameters: URLSearchParams): LeadView =>
  leadViews.find((name) => name === parameters.get('view')) ?? 'open'

const searches = new Map<string, string>()

/**
 * What is in the search field. The Back button brings it back from another page. It is in memory
 * only: servers log URLs, and browsers store the state of their history.
 */
function useSearch() {
  const { key } = useLocation()
  const [search, setSearch] = useState(searches.get(key) ?? '')
  useEffect(() => void searches.set(key, search), [key, search])
  return [search, setSearch] as const
}

/** The leads of the view in the URL or, while the search field has text, the search results. */
export function useList() {
  const [parameters] = useSearchParams()
  const [search, setSearch] = useSearch()
  const typed = search.trim()
  const delayed = useDelayed(typed, SEARCH_DELAY_MS)
  const asked = typed && delayed
  const view = viewIn(parameters)
  const { data, error, refetch, isPlaceholderData, hasNextPage, isFetching, fetchNextPage } =
    useInfiniteQuery(listQuery(asked ? 'all' : view, asked))
  const pages = data?.pages
  const [wantedPages, setWantedPages] = useState(0)
  const isLoadingMore = hasNextPage && (pages?.length ?? 0) < wantedPages
  useEffect(() => {
    // Fetching a page during a refresh would end the refresh. A
    // refresh ends the fetching of a page: it is then repeated.
    if (!isLoadingMore || isFetching) return
    void fetchNextPage().then(({ data, error }) => {
      if (error || (data?.pages.length ?? 0) >= wantedPages) setWantedPages(0)
    })
  }, [isLoadingMore, isFetching, fetchNextPage, wantedPages])
  const withPending = usePending()
  // If a lead moves while pages are fetched, it can be on two pages.
  const leads = pages?.flatMap((page) => page.leads)
  const byReference = leads && new Map(leads.map((row) => [row.reference, row]))
  const rows = byReference && [...byReference.values()].map(withPending)
  // Rendering hundreds of rows must not delay the next keystroke.
  const { isPrevious, ...deferred } = useDeferredValue({ rows, isPrevious: isPlaceholderData })
  const id = `${view} ${asked}`
  const isFound = rows !== undefined && asked !== '' && asked === typed && !isPlaceholderData
  return {
    view,
    search,
    setSearch,
    /** Which list this is. */
    id,
    /** Whether the rows belong to the previous search or view. */
    isPrevious,
    ...useNews(deferred.rows, id),
    error,
    retry: () => void refetch(),
    hasMore: hasNextPage,
    isLoadingMore,
    loadMore: () => setWantedPages((pages?.length ?? 0) + 1),
    /**
     * What screen readers announce after a search, such as "3
     * requests found." Empty until the search has ended.
     */
    found: isFound ? foundInWords(rows.length, hasNextPage) : '',
  }
}

/**
 * Holds new leads back until the owner asks for them: otherwise, they would move the rows
 * under a thumb. They then are on top. If there are no other leads, they appear at once.
 */
export function useNews(rows: LeadRow[] | undefined, id: string) {
  const first = () => ({ id, openedAt: serverNow(), brought: [] as string[], alone: [] as string[] })
  const [list, setList] = useState(first)
  const { openedAt, brought, alone } = list
  const isNew = (row: LeadRow) => Date.parse(row.receivedAt) > openedAt
  const isHeld = (row: LeadRow) => isNew(row) && !brought.includes(row.reference)
  const news = rows?.filter(isHeld) ?? []
  const others = rows?.filter((row) => !isHeld(row)) ?? []
  // Another list starts over:
  // https://react.dev/learn/you-might-not-need-an-effect#adjusting-some-state-when-a-prop-changes
  if (list.id !== id) setList(first())
  else if (alone.length > 0) {
    // What has appeared because there were no other leads stays once there are.
    if (rows?.some(({ reference }) => !alone.includes(reference)))
      setList({ ...list, brought: [...alone, ...brought], alone: [] })
  } else if (others.length === 0 && news.length > 0)
    setList({ ...list, alone: news.map(({ reference }) => reference) })
  const onTop = brought.flatMap((reference) => others.find((row) => row.reference === reference) ?? [])
  return {
    rows: rows && (others.length > 0 ? [...new Set([...onTop, ...others])] : rows),
    /** Leads that have come since the list was opened, and that the owner hasn't asked for. */
    news,
    holdsNews: news.length > 0 && others.length > 0,
    showNews: () =>
      setList({ ...list, brought: [...news.map(({ reference }) => reference).reverse(), ...brought] }),
    /** Whether to make a row stand out. */
    isNew: (row: LeadRow) => row.isUnread && isNew(row),
  }
}

/** What screen readers announce after a search. */
export function foundInWords(count: number, hasMore: boolean): string {
  // If nothing is found, `EmptyList` announces that.
  if (count === 0) return ''
  if (hasMore) return `More than ${count} requests found.`
  return count === 1 ? 'One request found.' : `${count} requests found.`
}
