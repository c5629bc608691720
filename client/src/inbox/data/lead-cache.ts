import type { InfiniteData } from '@tanstack/react-query'
import type { LeadDetail, LeadPage, LeadRow, LeadView } from '#shared/inbox/lead.ts'
import { officeDay } from '../words/office-day.ts'
import { isInView } from './apply-change.ts'
import { keys, queryClient } from './query-client.ts'
import { serverNow } from './server-clock.ts'

type Pages = InfiniteData<LeadPage, string>

/** The path of a lead, without the `/api` in front. */
export const pathOf = (reference: string): string => `/leads/${encodeURIComponent(reference)}`

const readLists = () => queryClient.getQueriesData<Pages>({ queryKey: keys.allLeads })

/** The latest version of a lead in the page's cache. */
export function findRow(reference: string): LeadRow | undefined {
  const listed = readLists().flatMap(([, list]) => list?.pages.flatMap(({ leads }) => leads) ?? [])
  const known = [
    queryClient.getQueryData<LeadDetail>(keys.lead(reference)),
    ...listed.filter((row) => row.reference === reference),
    queryClient.getQueryData<LeadRow>(keys.changedRow(reference)),
  ].filter((row) => row !== undefined)
  return known.sort((one, other) => other.version - one.version)[0]
}

/** Changes a lead wherever it is shown, and removes it from lists where it no longer belongs. Returns an undo function. */
export function patchLead(reference: string, patch: <Lead extends LeadRow>(lead: Lead) => Lead): () => void {
  const detailKey = keys.lead(reference)
  const detail = queryClient.getQueryData<LeadDetail>(detailKey)
  const lists = readLists()
  const row = findRow(reference)
  if (row) queryClient.setQueryData<LeadRow>(keys.changedRow(reference), patch(row))
  queryClient.setQueryData<LeadDetail>(detailKey, (lead) => lead && patch(lead))
  for (const [key] of lists) queryClient.setQueryData<Pages>(key, (pages) => pages && inPages(pages, key))
  return () => {
    if (row) queryClient.setQueryData(keys.changedRow(reference), row)
    if (detail) queryClient.setQueryData(detailKey, detail)
    for (const [key, pages] of lists) queryClient.setQueryData(key, pages)
  }

  function inPages({ pages, pageParams }: Pages, [, view, search]: readonly unknown[]): Pages {
    const isShown = (row: LeadRow) =>
      row.reference !== reference || search !== '' || isInView(view as LeadView, row, officeDay(serverNow()))
    const patched = (row: LeadRow) => (row.reference === reference ? patch(row) : row)
    return {
      pageParams,
      pages: pages.map((page) => ({ ...page, leads: page.leads.map(patched).filter(isShown) })),
    }
  }
}

/** Call this before showing a change: cancels the reads in progress, whose responses could overwrite it with older data. */
export async function dropReads(reference: string): Promise<void> {
  await Promise.all(
    [keys.allLeads, keys.lead(reference)].map((queryKey) => queryClient.cancelQueries({ queryKey })),
  )
}
