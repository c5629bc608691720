const HOUR_MS = 60 * 60 * 1000
// A backup of a large database takes its time, and a failed one is tried again.
const GRACE_MS = 2 * HOUR_MS

/** Whether backups that are due every `everyHours` have been missed: `late` for one, `too old` for two or more. Pure. */
export function backupAge(at: Date, now: Date, everyHours: number): 'fresh' | 'late' | 'too old' {
  const overdueMs = now.getTime() - at.getTime() - GRACE_MS
  if (overdueMs > 2 * everyHours * HOUR_MS) return 'too old'
  return overdueMs > everyHours * HOUR_MS ? 'late' : 'fresh'
}
