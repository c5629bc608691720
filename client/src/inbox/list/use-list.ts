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
}

/** The list that the URL names, or the results of the search. */
export function useList(): List {
  const [parameters] = useSearchParams()
  const [search, setSearch] = useState('')
  const asked = useDelayed(search.trim(), SEARCH_DELAY_MS)
  const view = leadViews.find((name) => name === parameters.get('view')) ?? 'open'
  const leads = useLeads(asked ? { view: 'all', search: asked } : { view })
  // Rendering hundreds of rows must not delay the next keystroke.
  return { ...leads, rows: useDeferredValue(leads.rows), view, search, setSearch }
}
