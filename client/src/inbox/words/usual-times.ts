import { hours } from '#facts/hours.ts'
import { english } from '#shared/computed-facts.ts'
import { officeClock, officeDay, startOfOfficeDay } from '#shared/office-time.ts'
import { nextOpening } from '#shared/promise-clock.ts'

const HOUR_MS = 60 * 60 * 1000

const dayName = new Intl.DateTimeFormat(english, { weekday: 'long', timeZone: hours.timeZone })

/** A time to choose: what its button says, and the ISO time. */
type Choice = { words: string; at: string }

/** When the office opens on the first workday at least `daysLater` days after the instant. */
const openingAfter = (instantMs: number, daysLater: number): Date =>
  nextOpening(startOfOfficeDay(officeDay(new Date(instantMs), daysLater)))

/** This afternoon, unless the office is closed or the afternoon is nearly over. */
function afternoon(nowMs: number): Choice[] {
  const today = officeDay(new Date(nowMs))
  if (officeDay(openingAfter(nowMs, 0)) !== today) return []
  return ['14:00', '16:00']
    .map((time) => new Date(officeClock.fromWall(Date.parse(`${today}T${time}Z`))))
    .filter((at) => at.getTime() >= nowMs + HOUR_MS)
    .slice(0, 1)
    .map((at) => ({ words: 'This afternoon', at: at.toISOString() }))
}

/** When the office opens next, not counting today: "Tomorrow morning", "Monday morning". */
function nextMorning(nowMs: number): Choice {
  const next = openingAfter(nowMs, 1)
  const isTomorrow = officeDay(next) === officeDay(new Date(nowMs), 1)
  return { words: `${isTomorrow ? 'Tomorrow' : dayName.format(next)} morning`, at: next.toISOString() }
}

/** The usual times of a follow-up, the next one first. */
export function followUpTimes(nowMs: number): Choice[] {
  const choices = [
    { words: 'In 2 hours', at: new Date(nowMs + 2 * HOUR_MS).toISOString() },
    ...afternoon(nowMs),
    nextMorning(nowMs),
    { words: 'In 3 days', at: openingAfter(nowMs, 3).toISOString() },
    { words: 'In a week', at: openingAfter(nowMs, 7).toISOString() },
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
