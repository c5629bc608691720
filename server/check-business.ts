import { closedOn, hours, responseTimes } from '#shared/business.ts'
import { findInvalidFact } from '#shared/find-invalid-fact.ts'

// Imported first: other modules cannot load with an invalid time zone.
const mistake = findInvalidFact({ hours, closedOn, responseTimes })
if (mistake) {
  process.stderr.write(`${mistake}\n`)
  process.exit(1)
}
