import { installFor, isNeed, missing } from './needs.ts'

// npm scripts run this before their tests, to install what those need.
const needs = process.argv.slice(2).filter(isNeed)
installFor(needs)
for (const reason of missing(needs))
  process.stderr.write(`Some tests will be SKIPPED: each of them ${reason}.\n`)
