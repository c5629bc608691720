import { Temporal } from 'temporal-polyfill'
import { hours, responseTimes } from '#shared/business.ts'
import { type OfficeHours, type ResponseTime, weekDays } from '#shared/promised-times.ts'

const LONGEST_AMOUNT = 1000

/** An office by its hours: the time on its clock, when it is open, and when a promise ends. Throws if it is never open. */
export function createOffice({ days, timeZone, ...clock }: OfficeHours) {
  const opens = Temporal.PlainTime.from(clock.opens)
  const closes = Temporal.PlainTime.from(clock.closes)
  if (days.length === 0 || Temporal.PlainTime.compare(opens, closes) >= 0)
    throw new Error('shared/business.ts: office hours need a day, and must open before they close.')

  /** The time on the clock of the office. */
  const inOffice = (time: Date): Temporal.ZonedDateTime =>
    Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timeZone)

  const isOpenDay = (day: Temporal.ZonedDateTime) => days.some((name) => name === weekDays[day.dayOfWeek - 1])

  const nextOpenDay = (day: Temporal.ZonedDateTime) => {
    let next = day.add({ days: 1 })
    while (!isOpenDay(next)) next = next.add({ days: 1 })
    return next
  }

  /** The next moment at which the office is open: the time itself where it is. */
  function nextOpen(time: Temporal.ZonedDateTime): Temporal.ZonedDateTime {
    const clock = time.toPlainTime()
    if (isOpenDay(time) && Temporal.PlainTime.compare(clock, closes) < 0)
      return Temporal.PlainTime.compare(clock, opens) < 0 ? time.withPlainTime(opens) : time
    return nextOpenDay(time).withPlainTime(opens)
  }

  /** When the office has been open for so many hours since. */
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

  /** Closing time so many working days later: the day itself does not count. */
  function addWorkingDays(time: Temporal.ZonedDateTime, count: number): Temporal.ZonedDateTime {
    let day = time
    for (let left = count; left > 0; left--) day = nextOpenDay(day)
    return day.withPlainTime(closes)
  }

  /** When a promise ends that was made at the time. */
  function deadline(time: Temporal.ZonedDateTime, { amount, unit }: ResponseTime): Temporal.ZonedDateTime {
    if (unit === 'hour') return time.add(inHours(amount))
    return unit === 'office hour' ? addOfficeHours(time, amount) : addWorkingDays(time, amount)
  }

  return { inOffice, nextOpen, deadline }
}

export type Office = ReturnType<typeof createOffice>

const inHours = (count: number) => Temporal.Duration.from({ seconds: Math.round(count * 3600) })

/** Our own office. */
export const office: Office = createOffice(hours)

// Told at the start, rather than by receipts that fail.
for (const [name, { amount }] of Object.entries(responseTimes))
  if (!(amount > 0 && amount <= LONGEST_AMOUNT))
    throw new Error(
      `shared/business.ts: the response time "${name}" must be between 0 and ${LONGEST_AMOUNT}.`,
    )
