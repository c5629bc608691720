import { v7 } from 'uuid'

// The ids of earlier versions have the time of their machine's clock, which may have been wrong:
// the leads are found by `created_at` if the two differ by less than this. Newer ids are exact.
const MAX_DRIFT_MS = 24 * 60 * 60 * 1000

let last = { msecs: 0, seq: 0 }

/**
 * Creates an id that has the time of the lead, so that ranges of time are ranges of ids. Leads of
 * the same millisecond have ids in their order of arrival.
 */
export function createLeadId(createdAt: Date): string {
  const msecs = createdAt.getTime()
  last = { msecs, seq: msecs === last.msecs ? last.seq + 1 : 0 }
  return v7(last)
}

/** The lowest id of this time. */
export const lowestIdAt = (time: Date): string =>
  v7({ msecs: Math.max(0, time.getTime()), seq: 0, random: new Uint8Array(16) })

/** Leads of this time or later have higher ids, or this one. */
export const lowestIdSince = (time: Date): string => lowestIdAt(new Date(time.getTime() - MAX_DRIFT_MS))

/** Leads from before this time have lower ids. */
export const lowestIdAfter = (time: Date): string => lowestIdAt(new Date(time.getTime() + MAX_DRIFT_MS))
