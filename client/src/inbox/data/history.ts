import { useMutation } from '@tanstack/react-query'
import { type EventPage, eventPage, type LeadDetail } from '#shared/inbox/lead.ts'
import { callApi } from './api.ts'
import { isWorthRetrying, keys, pathOf, queryClient } from './queries.ts'

/**
 * Fetches the part of a lead's history that comes before what the page shows. `onLoad`: is called
 * before the page shows it.
 */
export const useEarlier = ({ reference, events: [first] }: LeadDetail, onLoad = () => {}) =>
  useMutation({
    retry: isWorthRetrying,
    mutationFn: async () => {
      const path = `${pathOf(reference)}/events?before=${first?.id ?? 0}`
      const page = await callApi(path, eventPage)
      onLoad()
      addEarlier(reference, first?.id, page)
    },
  })

function addEarlier(reference: string, before: number | undefined, { events, hasEarlier }: EventPage) {
  queryClient.setQueryData<LeadDetail>(keys.lead(reference), (lead) =>
    // Otherwise, it has been loaded twice, or forgotten since.
    lead?.events[0]?.id === before
      ? lead && { ...lead, events: [...events, ...lead.events], hasEarlier }
      : lead,
  )
}
