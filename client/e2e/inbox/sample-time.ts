// A Wednesday afternoon at the office, so that every promise runs.
const startedAt = Date.now()
const beganAt = Date.parse('2026-03-04T19:00:00Z')

/** Milliseconds since 1970 in the tests of the inbox; time passes as usual. */
export const sampleNow = (): number => beganAt + Date.now() - startedAt
