import { join } from 'node:path'
import { findMissingExports } from './find-missing-exports.ts'

// Runs before the build: with a missing export, the build could not even load, or would leave out a text.
const missing = findMissingExports(join(import.meta.dirname, '..'))
if (missing.length > 0) {
  process.stderr.write(`${missing.join('\n')}\n`)
  process.exitCode = 1
}
