import { join } from 'node:path'
import { findMissingExports } from './find-missing-exports.ts'

// Checks the files that an agency edits, shared/business and client/brand. This runs before the build, because a missing
// export would keep the build from loading, or leave text out of the page.
const missing = findMissingExports(join(import.meta.dirname, '..'))
if (missing.length > 0) {
  process.stderr.write(`${missing.join('\n')}\n`)
  process.exitCode = 1
}
