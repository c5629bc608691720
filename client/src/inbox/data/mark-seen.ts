import { anything, callApi } from './api.ts'
import { patchLead, pathOf } from './lead-cache.ts'

const underWay = new Set<string>()

/** Tells the server that an owner has opened the lead. A failure is not worth a message: the mark stays. */
export async function markSeen(reference: string): Promise<void> {
  if (underWay.has(reference)) return
  underWay.add(reference)
  try {
    await callApi(`${pathOf(reference)}/seen`, anything, { method: 'POST' })
    patchLead(reference, (lead) => ({ ...lead, isUnread: false }))
  } catch {
    // Tried again when the lead is opened the next time.
  } finally {
    underWay.delete(reference)
  }
}
