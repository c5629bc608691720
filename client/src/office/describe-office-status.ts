import { openNow, opensNext } from '#brand/words/hours.ts'
import { locale } from '#shared/computed-facts.ts'
import { type OfficeFacts, officeStatus } from '#shared/office-hours.ts'

const WEEK_DAYS = 7

/** "Open until 6pm EST" or "Opens Mon 8am EST"; undefined if the office never opens. */
export function describeOfficeStatus(office: Pick<OfficeFacts, 'hours' | 'closedOn'>, now: Date) {
  const status = officeStatus(office, now)
  if (!status || status.isOpen) return status && openNow
  const format: Intl.DateTimeFormatOptions =
    status.daysAway < WEEK_DAYS ? { weekday: 'short' } : { month: 'short', day: 'numeric' }
  return opensNext.replace('{day}', status.day.toLocaleDateString(locale, { ...format, timeZone: 'UTC' }))
}
