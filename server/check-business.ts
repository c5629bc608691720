import { hours, responseTimes } from '#shared/business.ts'
import { findBusinessMistake } from '#shared/find-business-mistake.ts'

// Imported first: other modules cannot even be loaded with a wrong time zone.
const mistake = findBusinessMistake({ hours, responseTimes })
if (mistake) {
  process.stderr.write(`${mistake}\n`)
  process.exit(1)
}
