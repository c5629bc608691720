import { type LeadRow, type LeadStatus, leadStatus } from '#shared/inbox/lead.ts'
import { ApiError, callApi } from './api.ts'
import { applyChange, type LeadChange } from './apply-change.ts'
import { dropReads, findRow, patchLead, pathOf } from './lead-cache.ts'
import { refresh } from './refresh-page.ts'
import { trackChange } from './unconfirmed.ts'

export type Changed = {
  reference: string
  change: LeadChange
  /** The lead before the change. */
  before: LeadRow
  /** The version that the change created. The undo request sends it. */
  version: number
}

// A lead's changes run one by one, because each is based on the version that the previous one created.
const latest = new Map<string, Promise<unknown>>()

/** Shows a change at once and sends it. If the server rejects it, restores what was shown and throws `ApiError`. */
export async function changeLead(reference: string, change: LeadChange): Promise<Changed | undefined> {
  const before = findRow(reference)
  if (!before) return
  const { version } = await save(reference, {
    patch: (lead) => applyChange(lead, change),
    send: () => send(reference, change),
  })
  return { reference, change, before, version }
}

/** Shows the lead as it was before the change, and asks the server to undo it. Handles a rejection as `changeLead` does. */
export async function undoChange({ reference, before, version }: Changed): Promise<void> {
  const { state, isSuspect, followUpOn, trouble } = before
  await save(reference, {
    patch: (lead) => ({ ...lead, state, isSuspect, followUpOn, trouble }),
    send: () => post(reference, 'undo', { version }),
  })
}

type Save = { patch: <Lead extends LeadRow>(lead: Lead) => Lead; send: () => Promise<LeadStatus> }

async function save(reference: string, { patch, send }: Save): Promise<LeadStatus> {
  const sendAndAdopt = async () => {
    const status = await send()
    adopt(reference, status)
    return status
  }
  const release = refresh.hold()
  try {
    await dropReads(reference)
    const restore = patchLead(reference, patch)
    return await trackChange(inTurn(reference, sendAndAdopt)).catch((error) => {
      restore()
      if (error instanceof ApiError && error.current) adopt(reference, error.current)
      throw error
    })
  } finally {
    release()
  }
}

/** Shows the state and version that the server has reported for a lead. */
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

async function send(reference: string, { kind, ...what }: LeadChange): Promise<LeadStatus> {
  try {
    return await post(reference, kind, { ...what, version: findRow(reference)?.version ?? 0 })
  } catch (error) {
    const current = error instanceof ApiError ? error.current : undefined
    // It isn't an error if the lead already has the new state: another owner made the same change, or an earlier response
    // was lost.
    if (!current || kind !== 'state' || current.state !== Object(what).state) throw error
    return current
  }
}

const post = (reference: string, what: string, body: object) =>
  callApi(`${pathOf(reference)}/${what}`, leadStatus, { method: 'POST', body })
