import { findInvalidFact, ourFacts } from '#shared/find-invalid-fact.ts'

// Import this first: other modules can't load with an invalid time zone.
const invalidFact = findInvalidFact(ourFacts)
if (invalidFact) {
  process.stderr.write(`${invalidFact}\n`)
  process.exit(1)
}
