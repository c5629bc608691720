import { closedOn, hours } from '#facts/hours.ts'
import { responseTimes } from '#facts/promises.ts'
import { type ClockTime, type OfficeFacts, weekDays } from './time/office-hours.ts'
import { createTimeZone, DAY_MS, startOfDay, weekDayOf } from './time/time-zone.ts'

const MINUTE_MS = 60 * 1000

/** Computes when the office is open and when its promises are due. */
export function createPromiseClock(office: OfficeFacts) {
  const { opening, closing, workdayAt, workdayAfter, toWall, fromWall } = createCalendar(office)
  const { emailReplyOfficeHours, quoteWorkdays } = office.responseTimes

  /** When the office opens next. During office hours, that is the given time itself. */
  const nextOpening = (time: Date): Date =>
    new Date(Math.max(time.getTime(), opening(workdayAt(time.getTime()))))

  /** When the office opened today; undefined while it is closed. */
  function openSince(time: Date): Date | undefined {
    const opened = opening(workdayAt(time.getTime()))
    return opened <= time.getTime() ? new Date(opened) : undefined
  }

  /**
   * When the office will have been open for this many minutes after `time`. If the last minute ends
   * exactly at closing time, returns closing time, not the next opening.
   */
  function addOfficeMinutes(time: Date, minutes: number): Date {
    let day = workdayAt(time.getTime())
    let end = nextOpening(time).getTime() + minutes * MINUTE_MS
    while (end > closing(day)) {
      const left = end - closing(day)
      day = workdayAfter(day)
      end = opening(day) + left
    }
    return new Date(end)
  }

  /**
   * How many minutes (with fractions) the office is open between two times; 0 if `until` is before
   * `from`.
   */
  function officeMinutesBetween(from: Date, until: Date): number {
    let openMs = 0
    for (let day = workdayAt(from.getTime()); opening(day) < until.getTime(); day = workdayAfter(day)) {
      const start = Math.max(opening(day), from.getTime())
      openMs += Math.max(0, Math.min(closing(day), until.getTime()) - start)
    }
    return openMs / MINUTE_MS
  }

  const replyDueAt = (received: Date): Date => addOfficeMinutes(received, emailReplyOfficeHours * 60)

  function quoteDueAt(received: Date): Date {
    let day = workdayAt(received.getTime())
    const isOpen = opening(day) <= received.getTime()
    for (let left = quoteWorkdays - (isOpen ? 0 : 1); left > 0; left--) day = workdayAfter(day)
    if (!isOpen) return new Date(closing(day))
    const wall = toWall(received.getTime())
    return new Date(fromWall(day + wall - startOfDay(wall)))
  }

  return { nextOpening, openSince, addOfficeMinutes, officeMinutesBetween, replyDueAt, quoteDueAt }
}

/**
 * Finds the workdays of an office. A workday is represented by its midnight, in wall time (see
 * time-zone.ts).
 */
function createCalendar({ hours, closedOn }: OfficeFacts) {
  const { toWall, fromWall } = createTimeZone(hours.timeZone)
  const isOpenOn = weekDays.map((day) => hours.days.includes(day))
  const holidays = new Set(closedOn.map((day) => Date.parse(day)))
  const [opensMs, closesMs] = [sinceMidnight(hours.opens), sinceMidnight(hours.closes)]

  const opening = (day: number) => fromWall(day + opensMs)
  const closing = (day: number) => fromWall(day + closesMs)
  const isWorkday = (day: number) => isOpenOn[weekDayOf(day)] && !holidays.has(day)

  function workdayFrom(day: number): number {
    const last = day + (holidays.size + 2) * weekDays.length * DAY_MS
    for (let next = day; next < last; next += DAY_MS) if (isWorkday(next)) return next
    throw new Error('The office is never open.')
  }
  const workdayAfter = (day: number) => workdayFrom(day + DAY_MS)

  /** Today, if it is a workday and the office hasn't closed yet; otherwise the next workday. */
  function workdayAt(instant: number): number {
    const today = startOfDay(toWall(instant))
    return instant < closing(today) ? workdayFrom(today) : workdayAfter(today)
  }

  return { opening, closing, workdayAt, workdayAfter, toWall, fromWall }
}

function sinceMidnight(time: ClockTime): number {
  const [hour, minute] = time.split(':').map(Number) as [number, number]
  return (hour * 60 + minute) * MINUTE_MS
}

/** The clock for our own office: the source of every due time we show. */
export const promiseClock = createPromiseClock({ hours, closedOn, responseTimes })
export const { nextOpening, openSince, addOfficeMinutes, officeMinutesBetween, replyDueAt, quoteDueAt } =
  promiseClock
