import { useMutation } from '@tanstack/react-query'
import { type LeadRow, type SeveralStatus, severalStatus } from '#shared/inbox/lead.ts'
import { type ApiError, post } from '../data/api.ts'
import { dropReads, isWorthRetrying, keys, patchLeads, refresh } from '../data/queries.ts'
import { useNotify } from '../frame/notices.tsx'
import { changeInWords, type LeadChange, pick, pressOf, type Shown } from '../lead/use-change.ts'
import { namesInWords } from '../words/lead-words.ts'

/** `rows`: the leads as they were, with the versions that the owner saw. `shown`: what the page shows of them at once. */
type Press = { what: string; body: object; rows: LeadRow[]; shown: (row: LeadRow) => Partial<Shown> }

/** Changes several leads as `useChange` changes one: in one request, with one undo. */
export function useChangeSeveral(): (rows: LeadRow[], change: LeadChange) => void {
  const notify = useNotify()
  const { mutate } = useMutation<SeveralStatus, ApiError, Press>({
    mutationKey: keys.change,
    retry: isWorthRetrying,
    mutationFn: ({ what, body, rows }) =>
      post(`/leads/${what}`, severalStatus, {
        ...body,
        leads: rows.map(({ reference, version }) => ({ reference, version })),
      }),
    onMutate: async ({ rows, shown }) => {
      await dropReads()
      patchLeads(rows.map((row) => ({ reference: row.reference, ...shown(row) })))
    },
    onSuccess: ({ changed, left }, { what, rows, shown }) => {
      patchLeads(changed)
      const statuses = new Map(changed.map((status) => [status.reference, status]))
      const done = rows.filter(({ reference }) => statuses.has(reference))
      const refused = namesInWords(rows.filter(({ reference }) => left.includes(reference)))
      const before = new Map(done.map((row) => [row.reference, pick(row)]))
      const undo = () =>
        mutate({
          what: 'undo',
          body: {},
          rows: done.map((row) => ({ ...row, ...shown(row), ...statuses.get(row.reference) })),
          shown: ({ reference }) => before.get(reference) ?? {},
        })
      const words = done[0] && what !== 'undo' ? changeInWords(shown(done[0]), done[0]) : 'undone.'
      const text = done.length > 0 ? `${namesInWords(done)}: ${words} ` : ''
      notify({
        kind: refused ? 'failed' : 'done',
        text: text + (refused && `Not changed, because somebody else was faster: ${refused}.`),
        undo: done.length > 0 && what !== 'undo' ? undo : undefined,
      })
    },
    onError: ({ message, isTransient }, press) => {
      patchLeads(press.rows.map((row) => ({ reference: row.reference, ...pick(row) })))
      const retry = isTransient ? () => mutate(press) : undefined
      notify({ kind: 'failed', text: `${namesInWords(press.rows)}: not changed. ${message}`, retry })
    },
    // Until the next task, the change itself still counts as being sent.
    onSettled: () => void setTimeout(refresh),
  })
  return (rows, change) => {
    const { what, body, shown } = pressOf(change)
    mutate({ what, body, rows, shown: () => shown })
  }
}
