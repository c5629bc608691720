import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const bundles = dirname(fileURLToPath(import.meta.resolve('#server')))

// The Docker image has only bundles. The other bundles run in the tests of the running program.
test.each(['leads', 'doctor', 'backup', 'restore'])('the bundle of `%s` runs', async (name) => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(bundles, `${name}.js`), '--help'])

  expect(stdout).toContain(`Usage: ${name}`)
})
