import { useMutation } from '@tanstack/react-query'
import type { LeadDetail, LeadResult, LeadState } from '#shared/inbox/lead.ts'
import { type Answered, leadStatus } from '#shared/inbox/lead-changes.ts'
import { post, serverNow } from '../data/api.ts'
import type { PendingChange, Shown } from '../data/pending.ts'
import { changeTo, fetchedLead, patchLead, pathOf } from '../data/queries.ts'
import { useNotify } from '../frame/notices.tsx'
import { followUpTime } from '../words/times.ts'
import { forgetNote } from './note-sheet.tsx'
import { useMoveOn } from './use-move-on.ts'

/**
 * A lead's state, and how it was answered outside the inbox, its result, that it needs no answer,
 * or its follow-up, and why it has one.
 */
export type LeadChange =
  | { state: LeadState; answered?: Answered }
  | { result: LeadResult | null }
  | { isAnswered: true }
  | { followUpAt: string | null; note?: string }

type Press = PendingChange & {
  what: string
  body: object
  before: Shown
  /** Was typed as a note, and is stored with the change. */
  note?: string | undefined
}

/**
 * Shows a change at once, sends it, and offers to undo it. If the server rejects
 * it, says why. After a change that finishes the lead, opens the next one.
 */
export function useChange(lead: LeadDetail): (change: LeadChange) => void {
  const { reference } = lead
  const notify = useNotify()
  const moveOn = useMoveOn(reference)
  const { mutate } = useMutation({
    ...changeTo(reference),
    mutationFn({ what, body }: Press) {
      // The version is that of the lead's previous change, which has just ended.
      const version = fetchedLead(reference)?.version ?? 0
      return post(`${pathOf(reference)}/${what}`, leadStatus, { version, ...body })
    },
    onSuccess(status, { what, shown, before, note }) {
      const changed = { ...shown.get(reference), ...status }
      patchLead(reference, changed)
      if (note) forgetNote(reference, note)
      const text = changeInWords(what, changed, before)
      if (what === 'undo') return notify({ kind: 'done', about: lead, text })
      const undo = () =>
        mutate({
          what: 'undo',
          body: { version: status.version },
          shown: new Map([[reference, pick(before)]]),
          before,
        })
      notify({ kind: 'done', about: lead, text, undo })
    },
    onError({ message, isTransient }, press) {
      const retry = isTransient ? () => mutate(press) : undefined
      notify({ kind: 'failed', about: lead, text: `not changed. ${message}`, retry })
    },
  })
  return (change) => {
    const { shown, ...press } = pressOf(change)
    mutate({ ...press, shown: new Map([[reference, shown]]), before: lead })
    if (finishes(change, lead)) moveOn()
  }
}

/** Whether nothing is left to do for a lead after a change. */
export function finishes(change: LeadChange, { state, isSuspect }: Pick<Shown, 'state' | 'isSuspect'>) {
  if ('followUpAt' in change) return change.followUpAt !== null
  // A job that was won is confirmed next.
  if ('result' in change) return change.result === 'lost'
  return !('state' in change) || change.state !== 'open' || isSuspect || state === 'spam'
}

/** The request for a change, the note in it, and what the page shows then. */
export function pressOf(change: LeadChange) {
  if ('followUpAt' in change) {
    const { followUpAt, note } = change
    return { what: 'follow-up', body: { at: followUpAt, note }, shown: { followUpAt }, note }
  }
  if ('result' in change) {
    const { result } = change
    const done = { state: 'answered', isSuspect: false, followUpAt: null, trouble: null } as const
    return { what: 'result', body: { result }, shown: { result, ...(result && done) } }
  }
  if ('isAnswered' in change) return { what: 'nothing-to-answer', body: {}, shown: {} }
  const { state, answered } = change
  const shown: Partial<Shown> = { state, isSuspect: false }
  // After an email, a follow-up that has not come yet stays.
  if (answered?.by !== 'email') shown.followUpAt = null
  if (state !== 'open') shown.trouble = null
  return { what: 'state', body: { state, answered }, shown, note: answered?.note }
}

/** What a change can set of a lead. */
export const pick = ({ state, result, isSuspect, followUpAt, trouble }: Shown): Shown => ({
  state,
  result,
  isSuspect,
  followUpAt,
  trouble,
})

/** "marked as won." `changed`: what the server and the page say about the lead now. */
export function changeInWords(what: string, changed: Partial<Shown>, before: Shown): string {
  const { state = before.state, result, followUpAt } = changed
  switch (what) {
    case 'undo':
      return 'undone.'
    case 'nothing-to-answer':
      return state === 'open' ? 'nothing to answer. The request itself still waits.' : 'nothing to answer.'
    case 'result':
      return result ? `marked as ${result}.` : 'no longer won or lost.'
    case 'follow-up':
      return followUpAt ? `follow-up set for ${followUpTime(followUpAt, serverNow())}.` : 'follow-up removed.'
  }
  if (state !== 'open') return `marked as ${state}.`
  return before.isSuspect || before.state === 'spam' ? 'marked as not spam.' : 'reopened.'
}
