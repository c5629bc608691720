import { type OfficeFacts, type OfficeHours, type ResponseTimes, weekDays } from './office-hours.ts'
import { isDay } from './time-zone.ts'

const MAX_AMOUNT = 1000
const amounts = ['emailReplyOfficeHours', 'quoteWorkdays'] as const satisfies (keyof ResponseTimes)[]

/**
 * Describes the first invalid value among the office hours, holidays and response times in shared/business. Node.js and
 * the build don't check types, so without this check, a misspelled day would go unnoticed.
 */
export const findInvalidOfficeFact = ({ hours, closedOn, responseTimes }: OfficeFacts): string | undefined =>
  findHoursMistake(hours) ?? findHolidayMistake(closedOn) ?? findTimeMistake(responseTimes)

function findHoursMistake({ days, opens, closes, timeZone }: OfficeHours): string | undefined {
  const mustBe = (fact: keyof OfficeHours, allowed: string, found: unknown) =>
    describe(`hours.ts: "${fact}" in the office hours`, allowed, found)
  if (!areDays(days)) return mustBe('days', `one or more of ${quote(weekDays)}, without repeats`, days)
  for (const [fact, time] of Object.entries({ opens, closes }))
    if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time))
      return mustBe(fact as keyof OfficeHours, 'a time from "00:00" to "23:59", such as "08:00"', time)
  if (opens >= closes) return mustBe('closes', `later than "opens" ("${opens}"), on the same day`, closes)
  return isTimeZone(timeZone)
    ? undefined
    : mustBe('timeZone', 'an IANA name such as "America/New_York"', timeZone)
}

function findHolidayMistake(closedOn: OfficeFacts['closedOn']): string | undefined {
  if (!Array.isArray(closedOn))
    return describe('hours.ts: "closedOn"', 'a list of days such as ["2026-12-25"]', closedOn)
  const wrong = closedOn.findIndex((day) => !isDay(day))
  if (wrong >= 0)
    return describe('hours.ts: each day in "closedOn"', 'a real date such as "2026-12-25"', closedOn[wrong])
  const repeated = closedOn.find((day, index) => closedOn.indexOf(day) < index)
  return repeated && `shared/business/hours.ts: "closedOn" lists "${repeated}" more than once.`
}

function findTimeMistake(responseTimes: ResponseTimes): string | undefined {
  const wrong = amounts.find((name) => !isAmount(responseTimes[name]))
  return (
    wrong &&
    describe(
      `promises.ts: "${wrong}" in the response times`,
      `a whole number from 1 to ${MAX_AMOUNT}`,
      responseTimes[wrong],
    )
  )
}

const isAmount = (amount: unknown) =>
  Number.isInteger(amount) && Number(amount) >= 1 && Number(amount) <= MAX_AMOUNT

const areDays = (days: unknown) =>
  Array.isArray(days) &&
  days.length > 0 &&
  new Set(days).size === days.length &&
  days.every((day) => weekDays.includes(day))

function isTimeZone(timeZone: unknown): boolean {
  try {
    // Without String(), undefined would select this machine's time zone.
    return new Intl.DateTimeFormat('en-US', { timeZone: String(timeZone) }) !== undefined
  } catch {
    return false
  }
}

const quote = (words: readonly string[]) => words.map((word) => `"${word}"`).join(', ')

const describe = (fact: string, allowed: string, found: unknown) =>
  `shared/business/${fact} must be ${allowed}, but is ${typeof found === 'number' ? found : JSON.stringify(found)}.`
