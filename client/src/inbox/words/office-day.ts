import { hours } from '#facts/hours.ts'

const DAY_MS = 86_400_000

// Swedish dates are in ISO 8601 format.
const date = new Intl.DateTimeFormat('sv-SE', { timeZone: hours.timeZone, dateStyle: 'short' })

/** The office's date at an instant ("2026-03-02"), plus this many days. */
export function officeDay(instantMs: number, daysLater = 0): string {
  const today = date.format(instantMs)
  return new Date(Date.parse(today) + daysLater * DAY_MS).toISOString().slice(0, 10)
}
