type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
/** 24-hour time: "08:00". */
type ClockTime = `${Digit}${Digit}:${Digit}${Digit}`

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

/** Office hours count only while the office is open. Working days end at closing time. */
export type ResponseTime = { amount: number; unit: 'hour' | 'office hour' | 'working day' }

/** "24 hours", "1 working day". */
export const formatResponseTime = ({ amount, unit }: ResponseTime): string =>
  `${amount} ${unit.replace('office ', '')}${amount === 1 ? '' : 's'}`

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

function formatClockTime(time: ClockTime): string {
  const [hour, minute] = time.split(':').map(Number) as [number, number]
  return `${hour % 12 || 12}${minute ? `:${time.slice(3)}` : ''}${hour < 12 ? 'am' : 'pm'}`
}
