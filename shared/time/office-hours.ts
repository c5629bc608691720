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
   * A quote is due this many workdays after the request, at the same time of day. If the office is
   * closed when the request arrives, the next workday is the first of them, and the quote is due on
   * the last of them, at closing time.
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

const MAX_DAYS = 366

/**
 * Whether the office is open, and if not, the day on which it opens next (as midnight UTC) and how
 * many days away that is; undefined if it doesn't open within a year. The page uses this function
 * because promise-clock.ts is larger. It is wrong only if clocks are turned back past the opening
 * time: then the office seems closed until they show that time again.
 */
export function officeStatus({ hours, closedOn }: Pick<OfficeFacts, 'hours' | 'closedOn'>, now: Date) {
  // Swedish dates are in ISO 8601 format.
  const [today = '', time = ''] = now.toLocaleString('sv-SE', { timeZone: hours.timeZone }).split(' ')
  for (let daysAway = time < hours.closes ? 0 : 1; daysAway < MAX_DAYS; daysAway++) {
    const day = new Date(today)
    day.setUTCDate(day.getUTCDate() + daysAway)
    // `getUTCDay` returns 0 for Sunday, which comes last in `weekDays`.
    const isWorkday = hours.days.some((name) => name === weekDays.at(day.getUTCDay() - 1))
    if (isWorkday && !closedOn.includes(day.toISOString().slice(0, 10)))
      return { isOpen: daysAway === 0 && time >= hours.opens, day, daysAway }
  }
  return undefined
}

/**
 * An example for the page: a quote requested on `asked`, a day when the office is closed, is due at
 * closing time on `due`. Undefined if the office opens every day, or if the quote takes longer than
 * a week.
 */
export function weekendExample(
  { days }: Pick<OfficeHours, 'days'>,
  { quoteWorkdays }: Pick<ResponseTimes, 'quoteWorkdays'>,
) {
  const fromSaturday = [...weekDays.slice(5), ...weekDays.slice(0, 5)]
  const asked = fromSaturday.findIndex((day) => !days.includes(day))
  const next = [...fromSaturday.slice(asked), ...fromSaturday.slice(0, asked)]
  const due = next.filter((day) => days.includes(day))[quoteWorkdays - 1]
  const day = fromSaturday[asked]
  return day && due && { asked: day, due }
}
