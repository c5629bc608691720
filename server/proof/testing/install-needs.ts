import { installFor, isNeed, missing } from './needs.ts'

// For npm scripts: installs what their tests need. The tests themselves install nothing.
const needs = process.argv.slice(2).filter(isNeed)
installFor(needs)
for (const reason of missing(needs))
  process.stderr.write(`Some tests will be SKIPPED, because this machine ${reason}.\n`)
