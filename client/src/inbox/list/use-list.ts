import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { type LeadView, leadViews } from '#shared/inbox/lead.ts'
import { listQuery } from '../data/queries.ts'
import { useDelayed } from '../ui/timers.ts'

const SEARCH_DELAY_MS = 180

export type List = ReturnType<typeof useList>

/** The view in a URL. */
export const viewIn = (parameters: URLSearchParams): LeadView =>
  leadViews.find((name) => name === parameters.get('view')) ?? 'open'

/** The leads of the view in the URL or, while the search field has text, the search results. */
export function useList() {
  const [parameters] = useSearchParams()
  // Not part of the URL, because servers log URLs.
  const [search, setSearch] = useState('')
  const typed = search.trim()
  const delayed = useDelayed(typed, SEARCH_DELAY_MS)
  const asked = typed && delayed
  const view = viewIn(parameters)
  const {
    data,
    error,
    refetch,
    isPlaceholderData,
    hasNextPage,
    isFetching,
    isFetchingNextPage,
    fetchNextPage,
  } = useInfiniteQuery(listQuery(asked ? 'all' : view, asked))
  const [wantsMore, setWantsMore] = useState(false)
  useEffect(() => {
    // Fetching a page during a refresh would end the refresh.
    if (!wantsMore || isFetching) return
    setWantsMore(false)
    void fetchNextPage()
  }, [wantsMore, isFetching, fetchNextPage])
  // If a lead moves while pages are fetched, it can be on two pages.
  const leads = data?.pages.flatMap((page) => page.leads)
  const rows = leads && [...new Map(leads.map((row) => [row.reference, row])).values()]
  const isFound = rows !== undefined && asked !== '' && asked === typed && !isPlaceholderData
  return {
    view,
    search,
    setSearch,
    // Rendering hundreds of rows must not delay the next keystroke.
    rows: useDeferredValue(rows),
    error,
    retry: () => void refetch(),
    /** Whether the rows belong to the previous search or view. */
    isPrevious: isPlaceholderData,
    hasMore: hasNextPage,
    isLoadingMore: wantsMore || isFetchingNextPage,
    loadMore: () => setWantsMore(true),
    /** What screen readers announce after a search, such as "3 requests found." Empty until the search has ended. */
    found: isFound ? foundInWords(rows.length, hasNextPage) : '',
  }
}

function foundInWords(count: number, hasMore: boolean): string {
  // If nothing is found, `EmptyList` announces that.
  if (count === 0) return ''
  if (hasMore) return `More than ${count} requests found.`
  return count === 1 ? 'One request found.' : `${count} requests found.`
}
