type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
/** 24-hour time: "08:00". */
export type ClockTime = `${Digit}${Digit}:${Digit}${Digit}`

export const weekDays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const

export type OfficeHours = {
  days: readonly (typeof weekDays)[number][]
  opens: ClockTime
  closes: ClockTime
  /** IANA name, such as "America/New_York". */
  timeZone: string
}

/** What the page promises, as numbers. */
export type ResponseTimes = {
  /** The promised reply time, counted only while the office is open. */
  emailReplyOfficeHours: number
  /**
   * A quote is due this many workdays after the request, at the same time of day. If the office is closed when the request
   * arrives, the next workday is the first of them, and the quote is due on the last of them, at closing time.
   */
  quoteWorkdays: number
}

/** Everything that determines when a promise is due. */
export type OfficeFacts = {
  hours: OfficeHours
  /** Days when the office is closed, such as "2026-12-25". */
  closedOn: readonly string[]
  responseTimes: ResponseTimes
}

/** "Mon-Fri 8am-6pm". */
export const formatOfficeHours = ({ days, opens, closes }: OfficeHours): string =>
  `${formatDays(days)} ${formatClockTime(opens)}-${formatClockTime(closes)}`

const formatDays = (days: OfficeHours['days']) =>
  weekDays
    .map((day) => (days.includes(day) ? day.slice(0, 3) : ','))
    .join(' ')
    .split(',')
    .map((group) => group.trim().replace(/ .* | /, '-'))
    .filter(Boolean)
    .join(', ')

/** "6pm EST", which doesn't break across lines. */
export const formatTimeInZone = (time: ClockTime, zone: string): string =>
  `${formatClockTime(time)}\u00a0${zone}`

/** "8am" or "5:30pm". */
function formatClockTime(time: ClockTime): string {
  const [hour, minute] = time.split(':').map(Number) as [number, number]
  return `${hour % 12 || 12}${minute ? `:${time.slice(3)}` : ''}${hour < 12 ? 'am' : 'pm'}`
}
