import { english } from '#shared/computed-facts.ts'

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

/** The browser's local time for an input: "2026-03-02T16:12". */
export const inputTime = (instantMs: number): string =>
  new Date(instantMs - new Date(instantMs).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16)
