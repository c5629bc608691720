import { type OfficeHours, type ResponseTime, weekDays } from './promised-times.ts'

const MAX_AMOUNT = 1000
const units: readonly string[] = ['hour', 'office hour', 'working day'] satisfies ResponseTime['unit'][]

type Facts = { hours: OfficeHours; responseTimes: Record<string, ResponseTime> }

/**
 * Describes the first invalid value in the hours and response times of shared/business.ts. Node.js and the build don't check
 * types, so a misspelled day would go unnoticed.
 */
export function findInvalidFact({ hours, responseTimes }: Facts): string | undefined {
  return findInvalidHours(hours) ?? Object.entries(responseTimes).map(findInvalidTime).find(Boolean)
}

export function findInvalidHours({ days, opens, closes, timeZone }: OfficeHours): string | undefined {
  const mustBe = (fact: keyof OfficeHours, allowed: string, found: unknown) =>
    describe(`"${fact}" of the office hours`, allowed, found)
  if (!areDays(days)) return mustBe('days', `one or more of ${quote(weekDays)}, each once`, days)
  for (const [fact, time] of Object.entries({ opens, closes }))
    if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time))
      return mustBe(fact as keyof OfficeHours, 'a time from "00:00" to "23:59", such as "08:00"', time)
  if (opens >= closes) return mustBe('closes', `later than "opens" ("${opens}"), on the same day`, closes)
  return isTimeZone(timeZone)
    ? undefined
    : mustBe('timeZone', 'an IANA name such as "America/New_York"', timeZone)
}

function findInvalidTime([name, { amount, unit }]: [string, ResponseTime]): string | undefined {
  if (!(Number.isInteger(amount) && amount >= 1 && amount <= MAX_AMOUNT))
    return describe(
      `"amount" of the response time "${name}"`,
      `a whole number from 1 to ${MAX_AMOUNT}`,
      amount,
    )
  if (!units.includes(unit))
    return describe(`"unit" of the response time "${name}"`, '"hour", "office hour" or "working day"', unit)
}

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
  `shared/business.ts: ${fact} must be ${allowed}, but is ${typeof found === 'number' ? found : JSON.stringify(found)}.`
