import { ApiError } from '../data/api.ts'
import type { LeadChange } from '../data/apply-change.ts'
import { type Changed, changeLead, undoChange } from '../data/change-lead.ts'
import { stateNames } from '../words/lead-words.ts'
import { day } from '../words/times.ts'
import { useNotify } from './notices.ts'

/** Shows a change at once, sends it, and offers to undo it. If the server rejects it, shows the server's message. */
export function useChange(): (reference: string, change: LeadChange) => Promise<void> {
  const notify = useNotify()
  const report = (error: unknown): ApiError => {
    if (!(error instanceof ApiError)) throw error
    notify({ kind: 'failed', text: error.message })
    return error
  }
  const offerUndo = (changed: Changed) =>
    notify({
      kind: 'done',
      text: `${changed.before.name}: ${changeInWords(changed)}`,
      undo: () => void undo(changed),
    })
  async function undo(changed: Changed) {
    try {
      await undoChange(changed)
      notify({ kind: 'done', text: 'Undone.' })
    } catch (error) {
      if (report(error).isTransient) offerUndo(changed)
    }
  }
  return async (reference, change) => {
    try {
      const changed = await changeLead(reference, change)
      if (changed) offerUndo(changed)
    } catch (error) {
      report(error)
    }
  }
}

function changeInWords({ change, before }: Changed): string {
  if (change.kind === 'follow-up')
    return change.on ? `follow-up set for ${day(change.on)}.` : 'follow-up removed.'
  if (change.state !== 'open') return `marked as ${stateNames[change.state].toLowerCase()}.`
  return before.isSuspect || before.state === 'spam' ? 'marked as not spam.' : 'reopened.'
}
