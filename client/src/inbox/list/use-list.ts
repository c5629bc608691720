import { useDeferredValue, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { type LeadView, leadViews } from '#shared/inbox/lead.ts'
import { type Leads, useLeads } from '../data/queries.ts'
import { useDelayed } from './use-delayed.ts'

const SEARCH_DELAY_MS = 180

export type List = Leads & {
  view: LeadView
  /** The text in the search field. It isn't part of the URL, because servers log URLs. */
  search: string
  setSearch: (search: string) => void
  /** What screen readers announce after a search, such as "3 requests found." Empty until the search has ended. */
  found: string
}

/** The leads of the view in the URL or, while the search field has text, the search results. */
export function useList(): List {
  const [parameters] = useSearchParams()
  const [search, setSearch] = useState('')
  const asked = useDelayed(search.trim(), SEARCH_DELAY_MS)
  const view = leadViews.find((name) => name === parameters.get('view')) ?? 'open'
  const leads = useLeads(asked ? { view: 'all', search: asked } : { view })
  const isFound = asked !== '' && asked === search.trim() && !leads.isPrevious
  const found = isFound && leads.rows ? foundInWords(leads.rows.length, leads.hasMore) : ''
  // Rendering hundreds of rows must not delay the next keystroke.
  return { ...leads, rows: useDeferredValue(leads.rows), view, search, setSearch, found }
}

function foundInWords(count: number, hasMore: boolean): string {
  // If nothing is found, `EmptyList` announces that.
  if (count === 0) return ''
  if (hasMore) return `More than ${count} requests found.`
  return count === 1 ? 'One request found.' : `${count} requests found.`
}
