import { hours, responseTimes } from '#shared/business.ts'
import { findInvalidFact } from '#shared/find-invalid-fact.ts'

// Import this first: other modules can't load with an invalid time zone.
const mistake = findInvalidFact({ hours, responseTimes })
if (mistake) {
  process.stderr.write(`${mistake}\n`)
  process.exit(1)
}
