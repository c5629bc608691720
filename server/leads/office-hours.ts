import { Temporal } from 'temporal-polyfill'
import { hours } from '#shared/business.ts'

const WEEK_DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const openDays: readonly string[] = hours.days
const opens = Temporal.PlainTime.from(hours.opens)
const closes = Temporal.PlainTime.from(hours.closes)

/** The time on the clock of the office. */
export const inOffice = (time: Date): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(hours.timeZone)

const isOpenDay = (day: Temporal.ZonedDateTime) => openDays.includes(WEEK_DAYS[day.dayOfWeek - 1] ?? '')

/** The next moment at which the office is open: the time itself where it is. */
export function nextOpen(time: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
  const clock = time.toPlainTime()
  if (isOpenDay(time) && Temporal.PlainTime.compare(clock, closes) < 0)
    return Temporal.PlainTime.compare(clock, opens) < 0 ? time.withPlainTime(opens) : time
  let day = time.add({ days: 1 }).withPlainTime(opens)
  while (!isOpenDay(day)) day = day.add({ days: 1 })
  return day
}

/** When the office has been open for so many hours since. */
export function addOfficeHours(time: Temporal.ZonedDateTime, count: number): Temporal.ZonedDateTime {
  let from = nextOpen(time)
  let left = Temporal.Duration.from({ seconds: Math.round(count * 3600) })
  for (;;) {
    const untilClosing = from.until(from.withPlainTime(closes))
    if (Temporal.Duration.compare(left, untilClosing) <= 0) return from.add(left)
    left = left.subtract(untilClosing)
    from = nextOpen(from.withPlainTime(closes))
  }
}
