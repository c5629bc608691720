import { useMutation } from '@tanstack/react-query'
import { eventPage, type LeadDetail } from '#shared/inbox/lead.ts'
import { callApi } from './api.ts'
import { isWorthRetrying, keys, pathOf, queryClient } from './queries.ts'

/**
 * Fetches the part of a lead's history that comes before what the page shows. `onLoad`: is called
 * before the page shows it.
 */
export const useEarlier = ({ reference, events: [first] }: LeadDetail, onLoad = () => {}) =>
  useMutation({
    retry: isWorthRetrying,
    mutationFn: () => callApi(`${pathOf(reference)}/events?before=${first?.id ?? 0}`, eventPage),
    onSuccess({ events, hasEarlier }) {
      onLoad()
      queryClient.setQueryData<LeadDetail>(keys.lead(reference), (lead) => {
        // It has been loaded twice, or forgotten since.
        if (!lead || lead.events[0]?.id !== first?.id) return lead
        return { ...lead, events: [...events, ...lead.events], hasEarlier }
      })
    },
  })
