import { hours } from '#facts/hours.ts'
import { english } from './locale.ts'

const inWords = new Intl.DateTimeFormat(english, {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: hours.timeZone,
  timeZoneName: 'short',
})

/** "Monday, March 2 at 10:00 AM EST", in the office's time zone. */
export const officeTimeInWords = (time: Date | number): string => inWords.format(time)
