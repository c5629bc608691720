const HOUR_MS = 60 * 60 * 1000
// Allows for a slow backup or a retry.
const GRACE_MS = 2 * HOUR_MS

/** `late` means that one scheduled backup was missed, and `too old` that two or more were. */
export function backupAge(at: Date, now: Date, everyHours: number): 'fresh' | 'late' | 'too old' {
  const overdueMs = now.getTime() - at.getTime() - GRACE_MS
  if (overdueMs > 2 * everyHours * HOUR_MS) return 'too old'
  return overdueMs > everyHours * HOUR_MS ? 'late' : 'fresh'
}
