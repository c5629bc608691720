import { join } from 'node:path'
import { findMissingExports } from './find-missing-exports.ts'

// Checks the files that an agency edits, in shared/business and client/brand, for missing exports. This runs before the
// build: an export that is missing would keep build.ts from starting, or leave text out of the page.
const missing = findMissingExports(join(import.meta.dirname, '..'))
if (missing.length > 0) {
  process.stderr.write(`${missing.join('\n')}\n`)
  process.exitCode = 1
}
