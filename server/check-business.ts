import { closedOn, hours, responseTimes } from '#shared/business/plans.ts'
import { findInvalidFact } from '#shared/find-invalid-office-fact.ts'

// Import this first: other modules can't load with an invalid time zone.
const invalidFact = findInvalidFact({ hours, closedOn, responseTimes })
if (invalidFact) {
  process.stderr.write(`${invalidFact}\n`)
  process.exit(1)
}
