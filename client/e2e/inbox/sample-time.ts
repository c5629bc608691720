import { hours } from '#facts/hours.ts'
import { createTimeZone } from '#shared/time-zone.ts'

const startedAt = Date.now()
// A Wednesday afternoon, because the time left for a reply counts down only during office hours.
const beganAt = createTimeZone(hours.timeZone).fromWall(Date.parse('2026-03-04T14:00:00Z'))

/** The current time in the inbox tests, in milliseconds since 1970. Time passes at normal speed. */
export const sampleNow = (): number => beganAt + Date.now() - startedAt
