import { Temporal } from 'temporal-polyfill'
import { hours } from '#shared/business.ts'
import { findInvalidHours } from '#shared/find-invalid-fact.ts'
import { type OfficeHours, type ResponseTime, weekDays } from '#shared/promised-times.ts'

/** Returns functions that find when the office opens next and when a promised response is due. Throws if the hours are invalid. */
export function createOffice(hours: OfficeHours) {
  const mistake = findInvalidHours(hours)
  if (mistake) throw new Error(mistake)
  const { timeZone } = hours
  const days = new Set<string | undefined>(hours.days)
  const opens = Temporal.PlainTime.from(hours.opens)
  const closes = Temporal.PlainTime.from(hours.closes)

  /** The local time at the office. */
  const toOfficeTime = (time: Date): Temporal.ZonedDateTime =>
    Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timeZone)

  const isOpenDay = (day: Temporal.ZonedDateTime) => days.has(weekDays[day.dayOfWeek - 1])

  const nextOpenDay = (day: Temporal.ZonedDateTime) => {
    let next = day.add({ days: 1 })
    while (!isOpenDay(next)) next = next.add({ days: 1 })
    return next
  }

  /** The next opening time, or the time itself if the office is open. */
  function nextOpen(time: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
    const clock = time.toPlainTime()
    if (isOpenDay(time) && Temporal.PlainTime.compare(clock, closes) < 0)
      return Temporal.PlainTime.compare(clock, opens) < 0 ? time.withPlainTime(opens) : time
    return nextOpenDay(time).withPlainTime(opens)
  }

  /** The time after this many office hours. */
  function addOfficeHours(time: Temporal.ZonedDateTime, count: number): Temporal.ZonedDateTime {
    let from = nextOpen(time)
    let left = hoursToDuration(count)
    for (;;) {
      const untilClosing = from.until(from.withPlainTime(closes))
      if (Temporal.Duration.compare(left, untilClosing) <= 0) return from.add(left)
      left = left.subtract(untilClosing)
      from = nextOpen(from.withPlainTime(closes))
    }
  }

  /** Closing time on the `count`-th business day after the day of `time`. */
  function addWorkingDays(time: Temporal.ZonedDateTime, count: number): Temporal.ZonedDateTime {
    let day = time
    for (let left = count; left > 0; left--) day = nextOpenDay(day)
    return day.withPlainTime(closes)
  }

  /** The time by which a promise made at `time` must be kept. */
  function deadline(time: Temporal.ZonedDateTime, { amount, unit }: ResponseTime): Temporal.ZonedDateTime {
    if (unit === 'hour') return time.add(hoursToDuration(amount))
    if (unit === 'office hour') return addOfficeHours(time, amount)
    return addWorkingDays(time, amount)
  }

  return { toOfficeTime, nextOpen, deadline }
}

export type Office = ReturnType<typeof createOffice>

const hoursToDuration = (count: number) => Temporal.Duration.from({ hours: count })

export const office: Office = createOffice(hours)
