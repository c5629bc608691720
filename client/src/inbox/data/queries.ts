import type { UseQueryResult } from '@tanstack/react-query'
import type { Access, Figures, Summary } from '#shared/inbox/api.ts'
import type { LeadDetail, LeadRow, LeadView } from '#shared/inbox/lead.ts'
import type { ApiError } from './api.ts'

export type Query<Data> = UseQueryResult<Data, ApiError>

export type Leads = {
  /** Undefined until the first page has arrived. */
  rows: LeadRow[] | undefined
  error: ApiError | null
  /** What is shown belongs to the previous search or view. */
  isPrevious: boolean
  hasMore: boolean
  isLoadingMore: boolean
  loadMore: () => void
  retry: () => void
}

/** A list, page by page. With `search`, all leads that match. */
export function useLeads(_list: { view: LeadView; search?: string }): Leads {
  throw new Error('not built')
}

/** One lead; starts with the row from the list while the rest loads: see `useLeadRow`. Marks an unread lead as seen. */
export function useLead(_reference: string): Query<LeadDetail> {
  throw new Error('not built')
}

/** What the lists already know about a lead. */
export function useLeadRow(_reference: string): LeadRow | undefined {
  throw new Error('not built')
}

/** The figures above the list, and whether emails go out. */
export function useSummary(): Query<Summary> {
  throw new Error('not built')
}

export function useFigures(): Query<Figures> {
  throw new Error('not built')
}

export function useAccess(): Query<Access> {
  throw new Error('not built')
}
