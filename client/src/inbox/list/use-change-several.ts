import { useMutation } from '@tanstack/react-query'
import type { LeadRow } from '#shared/inbox/lead.ts'
import { severalStatus } from '#shared/inbox/lead-changes.ts'
import { post } from '../data/api.ts'
import type { PendingChange } from '../data/pending.ts'
import { changeOptions, isWorthRetrying, patchLead } from '../data/queries.ts'
import { useNotify } from '../frame/notices.tsx'
import { changeInWords, type LeadChange, pick, pressOf } from '../lead/use-change.ts'
import { namesInWords } from '../words/lead-words.ts'

/** `rows`: the leads as they were, with the versions that the owner saw. */
type Press = PendingChange & { what: string; body: object; rows: LeadRow[] }

/** Changes several leads as `useChange` changes one: in one request, with one undo. */
export function useChangeSeveral(): (rows: LeadRow[], change: LeadChange) => void {
  const notify = useNotify()
  const { mutate } = useMutation({
    ...changeOptions,
    retry: isWorthRetrying,
    mutationFn: ({ what, body, rows }: Press) =>
      post(`/leads/${what}`, severalStatus, {
        ...body,
        leads: rows.map(({ reference, version }) => ({ reference, version })),
      }),
    onSuccess({ changed, left }, { what, rows, shown }) {
      const patches = new Map(
        changed.map((status) => [status.reference, { ...shown.get(status.reference), ...status }]),
      )
      for (const [reference, patch] of patches) patchLead(reference, patch)
      const done = rows.filter(({ reference }) => patches.has(reference))
      const refused = namesInWords(rows.filter(({ reference }) => left.includes(reference)))
      const undo = () =>
        mutate({
          what: 'undo',
          body: {},
          rows: done.map((row) => ({ ...row, ...patches.get(row.reference) })),
          shown: new Map(done.map((row) => [row.reference, pick(row)])),
        })
      const wordsOf = (row: LeadRow) => changeInWords(what, patches.get(row.reference) ?? {}, row)
      const outcomes = [...new Set(done.map(wordsOf))]
      const text = outcomes
        .map((words) => `${namesInWords(done.filter((row) => wordsOf(row) === words))}: ${words} `)
        .join('')
      notify({
        kind: refused ? 'failed' : 'done',
        text: text + (refused && `Not changed, because somebody else was faster: ${refused}.`),
        undo: done.length > 0 && what !== 'undo' ? undo : undefined,
      })
    },
    onError({ message, isTransient }, press) {
      const retry = isTransient ? () => mutate(press) : undefined
      notify({ kind: 'failed', text: `${namesInWords(press.rows)}: not changed. ${message}`, retry })
    },
  })
  return (rows, change) => {
    const { what, body, shown } = pressOf(change)
    mutate({ what, body, rows, shown: new Map(rows.map(({ reference }) => [reference, shown])) })
  }
}
