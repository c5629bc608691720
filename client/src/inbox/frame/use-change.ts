import type { LeadChange } from '../data/apply-change.ts'
import { useChangeLead } from '../data/changes.ts'
import { stateNames } from '../words/lead-words.ts'
import { day } from '../words/times.ts'
import { useNotify } from './notices.ts'

/** Changes a lead, says so, and offers to undo it. */
export function useChange(): (reference: string, change: LeadChange) => Promise<unknown> {
  const notify = useNotify()
  const failed = (error: Error) => notify({ kind: 'failed', text: error.message })
  const undoChange = useChangeLead({
    onChanged: () => notify({ kind: 'done', text: 'Undone.' }),
    onFailed: failed,
  })
  return useChangeLead({
    onChanged: ({ reference, change, before, undo }) =>
      notify({
        kind: 'done',
        text: `${before.name}: ${changeInWords(change)}`,
        undo: undo ? () => undoChange(reference, undo) : undefined,
      }),
    onFailed: failed,
  })
}

function changeInWords(change: LeadChange): string {
  switch (change.kind) {
    case 'state':
      return change.state === 'open' ? 'open again.' : `marked as ${stateNames[change.state].toLowerCase()}.`
    case 'follow-up':
      return change.on ? `comes back on ${day(change.on)}.` : 'back in the open list.'
    case 'verdict':
      return change.verdict === 'spam' ? 'marked as spam.' : 'not spam, and now open.'
  }
}
