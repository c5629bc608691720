import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  engines?: { node: string }
  scripts: Record<string, string>
}

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

test('every script that runs node checks the Node.js version first', () => {
  const running = Object.entries(scripts).filter(([, script]) => /(^|&& )node /.test(script))

  expect(running.length).toBeGreaterThan(5)
  for (const [name, script] of running)
    expect(script, name).toMatch(/^(node server\/check-node\.js && |npm run (build|types) && |vitest run )/)
})
