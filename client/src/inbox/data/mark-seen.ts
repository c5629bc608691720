import { anything, callApi } from './api.ts'
import { patchLead, pathOf } from './lead-cache.ts'

const underWay = new Set<string>()

/** Tells the server that an owner has opened the lead. Doesn't report failures: the lead just stays unread. */
export async function markSeen(reference: string): Promise<void> {
  if (underWay.has(reference)) return
  underWay.add(reference)
  try {
    await callApi(`${pathOf(reference)}/seen`, anything, { method: 'POST' })
    patchLead(reference, (lead) => ({ ...lead, isUnread: false }))
  } catch {
    // Retried the next time the lead is opened.
  } finally {
    underWay.delete(reference)
  }
}
