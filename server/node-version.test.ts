import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Runs the version check as if `version` were the version of Node.js. */
const runAs = (version: string) =>
  promisify(execFile)(process.execPath, [
    '--eval',
    `Object.defineProperty(process, 'versions', { value: { node: '${version}' } }); import('./server/check-node.js')`,
  ]).catch((error: { code: number; stderr: string }) => error)

test('with an old Node.js, the version check exits and says what to do', async () => {
  const { code, stderr } = (await runAs('20.20.2')) as { code: number; stderr: string }

  expect(stderr).toMatch(
    /^This program needs Node\.js 24 or newer, but this is 20\.20\.2\. .*nodejs\.org\.\n$/,
  )
  expect(code).toBe(1)
})
