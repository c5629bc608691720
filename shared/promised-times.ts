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

/**
 * A promised deadline: in hours, in hours while the office is open, or by closing time on the nth working day.
 */
export type ResponseTime = { amount: number; unit: 'hour' | 'office hour' | 'working day' }

/** For the page: "24 hours", "1 working day". */
export const wordResponseTime = ({ amount, unit }: ResponseTime): string =>
  `${amount} ${unit.replace('office ', '')}${amount === 1 ? '' : 's'}`

/** For the page: "Mon-Fri 8am-6pm". */
export const wordOfficeHours = ({ days, opens, closes }: OfficeHours): string =>
  `${wordDays(days)} ${wordClock(opens)}-${wordClock(closes)}`

const wordDays = (days: OfficeHours['days']) =>
  weekDays
    .map((day) => (days.includes(day) ? day.slice(0, 3) : ','))
    .join(' ')
    .split(',')
    .map((run) => run.trim().replace(/ .* | /, '-'))
    .filter(Boolean)
    .join(', ')

function wordClock(time: ClockTime): string {
  const [hour, minute] = time.split(':').map(Number) as [number, number]
  return `${hour % 12 || 12}${minute ? `:${time.slice(3)}` : ''}${hour < 12 ? 'am' : 'pm'}`
}
