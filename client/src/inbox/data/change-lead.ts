import { type LeadRow, type LeadStatus, leadStatus } from '#shared/inbox/lead.ts'
import { ApiError, callApi } from './api.ts'
import { applyChange, type LeadChange, undoOf } from './apply-change.ts'
import { dropReads, findRow, patchLead, pathOf } from './lead-cache.ts'
import { refresh } from './refresh-page.ts'
import { trackChange } from './unconfirmed.ts'

export type Changed = {
  reference: string
  change: LeadChange
  /** The lead before the change. */
  before: LeadRow
  /** The change that undoes this one. */
  undo: LeadChange
}

// A lead's changes run one by one, because each is based on the version that the previous one created.
const latest = new Map<string, Promise<unknown>>()

/** Shows a change at once and sends it. If the server rejects it, restores what was shown and throws `ApiError`. */
export async function changeLead(reference: string, change: LeadChange): Promise<Changed | undefined> {
  const before = findRow(reference)
  if (!before) return
  const release = refresh.hold()
  try {
    await dropReads(reference)
    const restore = patchLead(reference, (lead) => applyChange(lead, change))
    await trackChange(inTurn(reference, () => send(reference, change))).catch((error) => {
      restore()
      if (error instanceof ApiError && error.current) adopt(reference, error.current)
      throw error
    })
    return { reference, change, before, undo: undoOf(change, before) }
  } finally {
    release()
  }
}

/** Shows a lead's state according to the server. */
export function adopt(reference: string, { state, version }: LeadStatus): void {
  patchLead(reference, (lead) => ({ ...lead, state, version }))
}

/** Runs `work` after this lead's earlier work has ended, whether that succeeded or not. */
export async function inTurn<Result>(reference: string, work: () => Promise<Result>): Promise<Result> {
  const before = latest.get(reference) ?? Promise.resolve()
  const result = before.catch(() => {}).then(work)
  latest.set(reference, result)
  try {
    return await result
  } finally {
    if (latest.get(reference) === result) latest.delete(reference)
  }
}

async function send(reference: string, { kind, shows: _, ...what }: LeadChange): Promise<void> {
  const body = { ...what, version: findRow(reference)?.version ?? 0 }
  try {
    adopt(reference, await callApi(`${pathOf(reference)}/${kind}`, leadStatus, { method: 'POST', body }))
  } catch (error) {
    const current = error instanceof ApiError ? error.current : undefined
    // Not an error if the lead already has the new state: another owner made the same change, or an earlier response
    // was lost.
    if (!current || kind !== 'state' || current.state !== Object(what).state) throw error
    adopt(reference, current)
  }
}
