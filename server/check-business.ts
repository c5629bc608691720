import { closedOn, hours, responseTimes } from '#shared/business.ts'
import { findBusinessMistake } from '#shared/find-business-mistake.ts'

// Imported first: other modules cannot load with an invalid time zone.
const mistake = findBusinessMistake({ hours, closedOn, responseTimes })
if (mistake) {
  process.stderr.write(`${mistake}\n`)
  process.exit(1)
}
