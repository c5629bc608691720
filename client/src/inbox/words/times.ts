import { closedOn, hours } from '#facts/hours.ts'
import { english } from '#shared/computed-facts.ts'
import { officeStatus } from '#shared/time/office-hours.ts'
import { createTimeZone } from '#shared/time/time-zone.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(english, options)
const clock = format({ hour: 'numeric', minute: '2-digit' })
const dayAndClock = format({ weekday: 'long', hour: 'numeric', minute: '2-digit' })
const shortDate = format({ month: 'short', day: 'numeric' })
const longDate = format({ month: 'short', day: 'numeric', year: 'numeric' })
const dateAndClock = format({ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
const longDateAndClock = format({ dateStyle: 'medium', timeStyle: 'short' })
const dayName = format({ weekday: 'long', timeZone: 'UTC' })
const weekDay = format({ weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' })

/** "just now", "12 min ago", "3 h ago", "2 days ago", "on Mar 2", "on Mar 2, 2025". */
export function ago(at: string, nowMs: number): string {
  const ms = nowMs - Date.parse(at)
  if (ms < MINUTE_MS) return 'just now'
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ago`
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h ago`
  if (ms < 2 * DAY_MS) return '1 day ago'
  if (ms < 7 * DAY_MS) return `${Math.floor(ms / DAY_MS)} days ago`
  const time = new Date(at)
  return `on ${(isThisYear(time, nowMs) ? shortDate : longDate).format(time)}`
}

/** "4:12 PM today", "Monday 11:00 AM", "Mar 2, 4:12 PM", "Mar 2, 2025, 4:12 PM". */
export function moment(at: string, nowMs: number): string {
  const time = new Date(at)
  const near = [
    [0, 'today'],
    [1, 'tomorrow'],
    [-1, 'yesterday'],
  ] as const
  for (const [days, name] of near) {
    // Not 24 hours later: when the clocks change, a day has 23 or 25.
    const date = new Date(nowMs)
    date.setDate(date.getDate() + days)
    if (date.toDateString() === time.toDateString()) return `${clock.format(time)} ${name}`
  }
  if (Math.abs(nowMs - time.getTime()) < 6 * DAY_MS) return dayAndClock.format(time)
  return (isThisYear(time, nowMs) ? dateAndClock : longDateAndClock).format(time)
}

const isThisYear = (time: Date, nowMs: number): boolean =>
  time.getFullYear() === new Date(nowMs).getFullYear()

/** "2026-03-02" -> "Mon, Mar 2". */
export const day = (date: string): string => weekDay.format(new Date(date))

/** When a follow-up is due: a time, as `moment` says it, or a day. */
export const followUpTime = (at: string, nowMs: number): string =>
  at.includes('T') ? moment(at, nowMs) : day(at)

// Formats dates as 2026-03-02: Sweden uses ISO 8601.
const isoDate = new Intl.DateTimeFormat('sv-SE', { timeZone: hours.timeZone, dateStyle: 'short' })

/** The date in the office's time zone, `daysLater` days after the instant: "2026-03-02". */
export function dayAtOffice(instantMs: number, daysLater = 0): string {
  const today = isoDate.format(instantMs)
  return new Date(Date.parse(today) + daysLater * DAY_MS).toISOString().slice(0, 10)
}

/** The first workday at least `daysLater` days after the instant: "2026-03-02". */
export function workday(instantMs: number, daysLater: number): string {
  const first = dayAtOffice(instantMs, daysLater)
  const next = officeStatus({ hours, closedOn }, new Date(fromWall(Date.parse(first))))
  return next?.day.toISOString().slice(0, 10) ?? first
}

const { fromWall } = createTimeZone(hours.timeZone)

/** A time of day at the office on a day ("2026-03-02"), as an ISO time. */
const atOffice = (date: string, time: string): string =>
  new Date(fromWall(Date.parse(`${date}T${time}Z`))).toISOString()

/** When the office opens on a day ("2026-03-02"), as an ISO time. */
export const opening = (date: string): string => atOffice(date, hours.opens)

/** A time to choose: what its button says, and the ISO time. */
type Choice = { words: string; at: string }

/** This afternoon, unless the office is closed or the afternoon is nearly over. */
function afternoon(nowMs: number): Choice[] {
  const today = dayAtOffice(nowMs)
  if (workday(nowMs, 0) !== today) return []
  return ['14:00', '16:00']
    .map((time) => ({ words: 'This afternoon', at: atOffice(today, time) }))
    .filter(({ at }) => Date.parse(at) >= nowMs + HOUR_MS)
    .slice(0, 1)
}

/** When the office opens next, not counting today: "Tomorrow morning", "Monday morning". */
function nextMorning(nowMs: number): Choice {
  const next = workday(nowMs, 1)
  const isTomorrow = next === dayAtOffice(nowMs, 1)
  return { words: `${isTomorrow ? 'Tomorrow' : dayName.format(new Date(next))} morning`, at: opening(next) }
}

/** The usual times of a follow-up, the next one first. */
export function followUpTimes(nowMs: number): Choice[] {
  const choices = [
    { words: 'In 2 hours', at: new Date(nowMs + 2 * HOUR_MS).toISOString() },
    ...afternoon(nowMs),
    nextMorning(nowMs),
    { words: 'In 3 days', at: opening(workday(nowMs, 3)) },
    { words: 'In a week', at: opening(workday(nowMs, 7)) },
  ]
  // After a Friday, "In 3 days" is "Monday morning"; at 2 pm, "In 2 hours" is "This afternoon".
  return choices.filter(({ at }, index) => {
    const before = Date.parse(choices[index - 1]?.at ?? '')
    return !(Math.abs(Date.parse(at) - before) < HOUR_MS / 2)
  })
}

const answeredAgo = { Now: 0, 'An hour ago': 1, '4 hours ago': 4, Yesterday: 24 }

/** When an owner may have answered, in words. Leaves out what was before the request. */
export const answerTimes = (receivedAt: string, nowMs: number): Choice[] =>
  Object.entries(answeredAgo)
    .map(([words, hoursAgo]) => ({ words, at: new Date(nowMs - hoursAgo * HOUR_MS).toISOString() }))
    .filter(({ at }) => Date.parse(at) >= Date.parse(receivedAt))

/** The browser's local time for an input: "2026-03-02T16:12". */
export const inputTime = (instantMs: number): string =>
  new Date(instantMs - new Date(instantMs).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
