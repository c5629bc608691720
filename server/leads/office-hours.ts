import { Temporal } from 'temporal-polyfill'
import { hours } from '#shared/business.ts'
import { findInvalidHours } from '#shared/find-invalid-fact.ts'
import { type OfficeHours, type ResponseTime, weekDays } from '#shared/promised-times.ts'

/** Calculates local times, opening times and deadlines of an office. Throws if its hours are invalid. */
export function createOffice(hours: OfficeHours) {
  const mistake = findInvalidHours(hours)
  if (mistake) throw new Error(mistake)
  const { days, timeZone } = hours
  const opens = Temporal.PlainTime.from(hours.opens)
  const closes = Temporal.PlainTime.from(hours.closes)

  /** The local time at the office. */
  const inOffice = (time: Date): Temporal.ZonedDateTime =>
    Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timeZone)

  const isOpenDay = (day: Temporal.ZonedDateTime) => days.some((name) => name === weekDays[day.dayOfWeek - 1])

  const nextOpenDay = (day: Temporal.ZonedDateTime) => {
    for (let ahead = 1; ahead <= weekDays.length; ahead++) {
      const next = day.add({ days: ahead })
      if (isOpenDay(next)) return next
    }
    throw new Error('The office is never open.')
  }

  /** When the office is next open: the time itself if it is open then. */
  function nextOpen(time: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
    const clock = time.toPlainTime()
    if (isOpenDay(time) && Temporal.PlainTime.compare(clock, closes) < 0)
      return Temporal.PlainTime.compare(clock, opens) < 0 ? time.withPlainTime(opens) : time
    return nextOpenDay(time).withPlainTime(opens)
  }

  /** When the office has been open for this many hours since the time. */
  function addOfficeHours(time: Temporal.ZonedDateTime, count: number): Temporal.ZonedDateTime {
    let from = nextOpen(time)
    let left = inHours(count)
    for (;;) {
      const untilClosing = from.until(from.withPlainTime(closes))
      if (Temporal.Duration.compare(left, untilClosing) <= 0) return from.add(left)
      left = left.subtract(untilClosing)
      from = nextOpen(from.withPlainTime(closes))
    }
  }

  /** Closing time this many working days later, not counting the day itself. */
  function addWorkingDays(time: Temporal.ZonedDateTime, count: number): Temporal.ZonedDateTime {
    let day = time
    for (let left = count; left > 0; left--) day = nextOpenDay(day)
    return day.withPlainTime(closes)
  }

  /** The deadline of a promise made at this time. */
  function deadline(time: Temporal.ZonedDateTime, { amount, unit }: ResponseTime): Temporal.ZonedDateTime {
    if (unit === 'hour') return time.add(inHours(amount))
    if (unit === 'office hour') return addOfficeHours(time, amount)
    if (unit === 'working day') return addWorkingDays(time, amount)
    throw new Error(`Unknown unit of time "${unit}".`)
  }

  return { inOffice, nextOpen, deadline }
}

export type Office = ReturnType<typeof createOffice>

const inHours = (count: number) => Temporal.Duration.from({ hours: count })

/** Our own office. */
export const office: Office = createOffice(hours)
