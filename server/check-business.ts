import { hours, responseTimes } from '#shared/business.ts'
import { findBusinessMistake } from '#shared/find-business-mistake.ts'

// Import this first: other modules can't load with an invalid time zone.
const mistake = findBusinessMistake({ hours, responseTimes })
if (mistake) {
  process.stderr.write(`${mistake}\n`)
  process.exit(1)
}
