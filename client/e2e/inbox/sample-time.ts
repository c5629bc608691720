// A Wednesday afternoon at the office, so that the time left on every promise is counting down.
const startedAt = Date.now()
const beganAt = Date.parse('2026-03-04T19:00:00Z')

/** The current time in the inbox tests, in milliseconds since 1970. Time passes at normal speed. */
export const sampleNow = (): number => beganAt + Date.now() - startedAt
