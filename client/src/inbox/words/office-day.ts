import { hours } from '#facts/hours.ts'

const DAY_MS = 86_400_000

// Formats dates as 2026-03-02: Sweden uses ISO 8601.
const date = new Intl.DateTimeFormat('sv-SE', { timeZone: hours.timeZone, dateStyle: 'short' })

/** The date in the office's time zone, `daysLater` days after the instant: "2026-03-02". */
export function officeDay(instantMs: number, daysLater = 0): string {
  const today = date.format(instantMs)
  return new Date(Date.parse(today) + daysLater * DAY_MS).toISOString().slice(0, 10)
}
