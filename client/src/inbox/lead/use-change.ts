import { useMutation } from '@tanstack/react-query'
import type { LeadDetail, LeadResult, LeadRow, LeadState } from '#shared/inbox/lead.ts'
import { type Answered, changeStatus } from '#shared/inbox/lead-changes.ts'
import { post, serverNow } from '../data/api.ts'
import type { PendingChange, Shown } from '../data/pending.ts'
import { changeOptions, changeTo, fetchedLead, isWorthRetrying, patchLead } from '../data/queries.ts'
import { useNotify } from '../frame/notices.tsx'
import { namesInWords } from '../words/lead-words.ts'
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

/**
 * `rows`: the leads as they were. `note`: is stored with the change. `leads`: what was sent about
 * the leads. If the change is tried again, it may have been stored: with the same versions, it is
 * then stored only once.
 */
type Press = PendingChange & {
  what: string
  body: object
  rows: LeadRow[]
  note?: string | undefined
  leads?: Pick<LeadRow, 'reference' | 'version'>[]
}

/**
 * Shows a change at once, sends it, and offers to undo it. Says which leads the server has not
 * changed, and why. `page`: the reference of the lead on whose page this is, which an undo opens.
 */
function useChanges(page?: string) {
  const notify = useNotify()
  const isOne = page !== undefined
  const { mutate } = useMutation({
    ...(isOne ? changeTo(page) : changeOptions),
    retry: isWorthRetrying,
    mutationFn(press: Press) {
      const { what, body, rows } = press
      press.leads ??= rows.map(({ reference, version }) => {
        // On its page, the version is that of the lead's previous change, which has just ended.
        const latest = isOne && what !== 'undo' ? fetchedLead(reference) : undefined
        return { reference, version: latest?.version ?? version }
      })
      return post(`/leads/${what}`, changeStatus, { ...body, leads: press.leads })
    },
    onSuccess({ changed, left }, { what, rows, shown, note }) {
      const patches = new Map(
        changed.map((status) => [status.reference, { ...shown.get(status.reference), ...status }]),
      )
      const outcomes = new Map<string, LeadRow[]>()
      for (const row of rows) {
        const patch = patches.get(row.reference)
        // It was already as the owner wants it.
        if (!patch && !left.includes(row.reference)) continue
        if (patch) patchLead(row.reference, patch)
        if (patch && note) forgetNote(row.reference, note)
        const words = patch
          ? changeInWords(what, patch, row)
          : 'not changed, because something new has happened there.'
        outcomes.set(words, [...(outcomes.get(words) ?? []), row])
      }
      const done = rows.filter(({ reference }) => patches.has(reference))
      const undo = () =>
        mutate({
          what: 'undo',
          body: {},
          rows: done.map((row) => ({ ...row, ...patches.get(row.reference) })),
          shown: new Map(done.map((row) => [row.reference, pick(row)])),
        })
      if (outcomes.size === 0) return
      notify({
        kind: left.length > 0 ? 'failed' : 'done',
        ...inNotice(outcomes, isOne),
        undo: done.length > 0 && what !== 'undo' ? undo : undefined,
      })
    },
    onError({ message, isTransient }, press) {
      const retry = isTransient ? () => mutate(press) : undefined
      notify({
        kind: 'failed',
        ...inNotice(new Map([[`not changed. ${message}`, press.rows]]), isOne),
        retry,
      })
    },
  })
  return (rows: LeadRow[], change: LeadChange) => {
    const { shown, ...press } = pressOf(change)
    mutate({ ...press, rows, shown: new Map(rows.map(({ reference }) => [reference, shown])) })
  }
}

/** What a notice says about leads, by what has become of them: it links to the one of `isOne`. */
function inNotice(outcomes: Map<string, LeadRow[]>, isOne: boolean) {
  const [text = ''] = outcomes.keys()
  const [about] = [...outcomes.values()].flat()
  if (about && isOne) return { about, text }
  return { text: [...outcomes].map(([words, rows]) => `${namesInWords(rows)}: ${words}`).join(' ') }
}

/** Returns a function that changes a lead. After a change that finishes it, the next one opens. */
export function useChange(lead: LeadDetail): (change: LeadChange) => void {
  const { reference } = lead
  const moveOn = useMoveOn(reference)
  const make = useChanges(reference)
  return (change) => {
    make([lead], change)
    if (finishes(change, lead)) moveOn()
  }
}

/** Returns a function that changes several leads in one request, with one undo. */
export const useChangeSeveral = () => useChanges()

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
const pick = ({ state, result, isSuspect, followUpAt, trouble }: Shown): Shown => ({
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
