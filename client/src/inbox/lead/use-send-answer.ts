import { useMutation } from '@tanstack/react-query'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { answerQueued } from '#shared/inbox/lead-changes.ts'
import { post } from '../data/api.ts'
import { baseOf, forgetKey, forgetSent } from '../data/draft.ts'
import { changeTo, isWorthRetrying, keys, patchLead, pathOf, queryClient } from '../data/queries.ts'
import { useNotify, useNotifyOnceClosed } from '../frame/notices.tsx'

/**
 * `key`: the server stores only one answer for each key. `version`: the
 * version of the lead that the owner has seen. `files`: the IDs of those that
 * the owner sees. `to`: another address from which somebody has written, or a
 * corrected one of the person.
 */
type NewAnswer = { text: string; key: string; version: number; files: string[]; to?: string }

/** Queues an answer, and retries if the response is lost. A notice then offers to undo it. */
export function useSendAnswer(lead: LeadDetail) {
  const { reference } = lead
  const notify = useNotify()
  const notifyOnceClosed = useNotifyOnceClosed()
  return useMutation({
    ...changeTo(reference),
    retry: isWorthRetrying,
    mutationFn: (answer: NewAnswer) =>
      post(`${pathOf(reference)}/answers`, answerQueued, { ...answer, base: baseOf(reference) }),
    onError: ({ status, message }) => {
      // Refused, undone, or not delivered: sending it again is another answer.
      if (status === 409) forgetKey(reference)
      notifyOnceClosed({ kind: 'failed', about: lead, text: `your answer was not sent. ${message}` })
    },
    onSuccess: ({ key, sendsAt, ...status }, { text }) => {
      const rest = { draft: null, hasDraft: false, attached: [] }
      patchLead(reference, { ...status, ...rest, pendingAnswer: { key, sendsAt } })
      forgetSent(reference, text)
      queryClient.removeQueries({ queryKey: keys.typed('to', reference) })
      notify({ kind: 'answer', about: lead, key, sendsAt })
    },
  })
}
