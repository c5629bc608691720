import { useMutation } from '@tanstack/react-query'
import {
  type Answered,
  type LeadDetail,
  type LeadState,
  type LeadStatus,
  leadStatus,
} from '#shared/inbox/lead.ts'
import { type ApiError, callApi } from '../data/api.ts'
import { changeTo, dropReads, keys, patchLead, pathOf, queryClient, shownLead } from '../data/queries.ts'
import { useNotify } from '../frame/notices.tsx'
import { viewNames } from '../words/lead-words.ts'
import { day } from '../words/times.ts'

/** A lead's state, and how it was answered outside the inbox, or its follow-up day. */
type LeadChange = { state: LeadState; answered?: Answered } | { followUpOn: string | null }

type Shown = Pick<LeadDetail, 'state' | 'isSuspect' | 'followUpOn' | 'trouble'>
type Press = { what: 'state' | 'follow-up' | 'undo'; body: object; shown: Partial<Shown> }

/** Shows a change at once, sends it, and offers to undo it. If the server rejects it, takes it back and says why. */
export function useChange({ reference, name }: LeadDetail): (change: LeadChange) => void {
  const notify = useNotify()
  const { mutate } = useMutation<LeadStatus, ApiError, Press, Shown | undefined>({
    ...changeTo(reference),
    // The version is that of the lead's previous change, which has just ended.
    mutationFn: ({ what, body }) =>
      callApi(`${pathOf(reference)}/${what}`, leadStatus, {
        method: 'POST',
        body: { version: shownLead(reference)?.version ?? 0, ...body },
      }),
    onMutate: async ({ shown }) => {
      await dropReads()
      const before = shownLead(reference)
      patchLead(reference, shown)
      return before && pick(before)
    },
    onSuccess: (status, { what, shown }, before) => {
      patchLead(reference, status)
      if (what === 'undo') return notify({ kind: 'done', text: 'Undone.' })
      const undo = () => mutate({ what: 'undo', body: { version: status.version }, shown: before ?? {} })
      notify({ kind: 'done', text: `${name}: ${changeInWords(shown, before)}`, undo })
    },
    onError: ({ message, isTransient }, press, before) => {
      patchLead(reference, before ?? {})
      // Later changes began while this one was shown: if they fail, too, they must not bring it back.
      const later = { mutationKey: [...keys.change, reference], status: 'pending' } as const
      for (const { state } of queryClient.getMutationCache().findAll(later))
        Object.assign(Object(state.context), before)
      if (press.what === 'undo' && isTransient)
        notify({ kind: 'done', text: message, undo: () => mutate(press) })
      else notify({ kind: 'failed', text: message })
    },
  })
  return (change) => {
    if ('followUpOn' in change)
      return mutate({ what: 'follow-up', body: { on: change.followUpOn }, shown: change })
    const { state, answered } = change
    const judged = { state, isSuspect: false, followUpOn: null, ...(state !== 'open' && { trouble: null }) }
    mutate({ what: 'state', body: { state, answered }, shown: judged })
  }
}

const pick = ({ state, isSuspect, followUpOn, trouble }: Shown): Shown => ({
  state,
  isSuspect,
  followUpOn,
  trouble,
})

function changeInWords({ state, followUpOn }: Partial<Shown>, before?: Shown): string {
  if (!state) return followUpOn ? `follow-up set for ${day(followUpOn)}.` : 'follow-up removed.'
  if (state !== 'open') return `marked as ${viewNames[state].toLowerCase()}.`
  return before?.isSuspect || before?.state === 'spam' ? 'marked as not spam.' : 'reopened.'
}
