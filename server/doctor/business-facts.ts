import type { Question } from '#shared/facts.ts'
import { officeDay } from '../leads/office-time.ts'
import { type Finding, findingsAbout } from './finding.ts'

const AHEAD_MS = 31 * 24 * 60 * 60 * 1000

/**
 * Warns if no holidays are listed for this year or, in December, for next year: replies would be promised on holidays. If
 * no holidays are listed at all, the office works on holidays, so there is no warning.
 */
export function checkHolidays(closedOn: readonly string[], now: Date): Finding[] {
  const year = officeDay(new Date(now.getTime() + AHEAD_MS)).slice(0, 4)
  if (closedOn.length === 0 || closedOn.some((day) => day.startsWith(year))) return []
  return [
    findingsAbout('holidays').warning(
      `shared/business/hours.ts lists no holidays in ${year}.`,
      'Add them to "closedOn", then build and restart. Otherwise, replies and quotes are promised on holidays.',
    ),
  ]
}

/** Warns about questions that the owner hasn't answered. The page leaves them out. */
export function checkQuestions(questions: readonly Question[]): Finding[] {
  const open = questions.filter(({ answer }) => answer === '').map(({ question }) => `"${question}"`)
  if (open.length === 0) return []
  return [
    findingsAbout('questions').warning(
      `The page doesn't answer what buyers ask: ${open.join(', ')}.`,
      'Only you know the answers. Write them into shared/business/questions.ts, then build and restart.',
    ),
  ]
}
