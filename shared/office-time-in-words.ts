import { hours } from '#facts/hours.ts'
import { english } from './computed-facts.ts'

const inWords = new Intl.DateTimeFormat(english, {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: hours.timeZone,
  timeZoneName: 'short',
})

/**
 * "Monday, March 2 at 10am EST", in the office's time zone. Times look like those in the office
 * hours, in languages that write AM and PM.
 */
export const officeTimeInWords = (time: Date | number): string =>
  inWords.format(time).replace(/(?::00)?\s([AP]M)/, (_, half: string) => half.toLowerCase())
