import { useMutation } from '@tanstack/react-query'
import {
  type Answered,
  type LeadDetail,
  type LeadState,
  type LeadStatus,
  leadStatus,
} from '#shared/inbox/lead.ts'
import { type ApiError, post } from '../data/api.ts'
import { changeTo, dropReads, keys, patchLead, pathOf, queryClient, shownLead } from '../data/queries.ts'
import { useNotify } from '../frame/notices.tsx'
import { viewNames } from '../words/lead-words.ts'
import { day } from '../words/times.ts'
import { useMoveOn } from './use-move-on.ts'

/** A lead's state, and how it was answered outside the inbox, or its follow-up day. */
export type LeadChange = { state: LeadState; answered?: Answered } | { followUpOn: string | null }

/** What a change sets, as the page shows it. */
export type Shown = Pick<LeadDetail, 'state' | 'isSuspect' | 'followUpOn' | 'trouble'>
type Press = { what: 'state' | 'follow-up' | 'undo'; body: object; shown: Partial<Shown> }

/**
 * Shows a change at once, sends it, and offers to undo it. If the server rejects it, takes it back and says why. After a
 * change that finishes the lead, opens the next one.
 */
export function useChange({ reference, name, ...lead }: LeadDetail): (change: LeadChange) => void {
  const notify = useNotify()
  const moveOn = useMoveOn(reference)
  const about = { reference, name }
  const { mutate } = useMutation<LeadStatus, ApiError, Press, Shown | undefined>({
    ...changeTo(reference),
    // The version is that of the lead's previous change, which has just ended.
    mutationFn: ({ what, body }) =>
      post(`${pathOf(reference)}/${what}`, leadStatus, {
        version: shownLead(reference)?.version ?? 0,
        ...body,
      }),
    onMutate: async ({ shown }) => {
      await dropReads()
      const before = shownLead(reference)
      patchLead(reference, shown)
      return before && pick(before)
    },
    onSuccess: (status, { what, shown }, before) => {
      patchLead(reference, status)
      if (what === 'undo') return notify({ kind: 'done', about, text: 'undone.' })
      const undo = () => mutate({ what: 'undo', body: { version: status.version }, shown: before ?? {} })
      notify({ kind: 'done', about, text: changeInWords(shown, before), undo })
    },
    onError: ({ message, isTransient }, press, before) => {
      patchLead(reference, before ?? {})
      // Later changes began while this one was shown: if they fail, too, they must not bring it back.
      const later = { mutationKey: [...keys.change, reference], status: 'pending' } as const
      for (const { state } of queryClient.getMutationCache().findAll(later))
        Object.assign(Object(state.context), before)
      const retry = isTransient ? () => mutate(press) : undefined
      notify({ kind: 'failed', about, text: `not changed. ${message}`, retry })
    },
  })
  return (change) => {
    mutate(pressOf(change))
    if (finishes(change, lead)) moveOn()
  }
}

/** Whether nothing is left to do for a lead after a change. */
export const finishes = (change: LeadChange, { state, isSuspect }: Pick<Shown, 'state' | 'isSuspect'>) =>
  'followUpOn' in change
    ? change.followUpOn !== null
    : change.state !== 'open' || isSuspect || state === 'spam'

/** The request for a change, and what the page shows then. */
export function pressOf(change: LeadChange) {
  if ('followUpOn' in change)
    return { what: 'follow-up', body: { on: change.followUpOn }, shown: change } as const
  const { state, answered } = change
  const shown = { state, isSuspect: false, followUpOn: null, ...(state !== 'open' && { trouble: null }) }
  return { what: 'state', body: { state, answered }, shown } as const
}

export const pick = ({ state, isSuspect, followUpOn, trouble }: Shown): Shown => ({
  state,
  isSuspect,
  followUpOn,
  trouble,
})

/** "marked as won." */
export function changeInWords({ state, followUpOn }: Partial<Shown>, before?: Shown): string {
  if (!state) return followUpOn ? `follow-up set for ${day(followUpOn)}.` : 'follow-up removed.'
  if (state !== 'open') return `marked as ${viewNames[state].toLowerCase()}.`
  return before?.isSuspect || before?.state === 'spam' ? 'marked as not spam.' : 'reopened.'
}
