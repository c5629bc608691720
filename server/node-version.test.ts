import { execFile, execFileSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { newDataDir } from './proof/testing/start-program.ts'

const { engines, scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
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

test('the version check accepts the oldest Node.js that package.json allows', async () => {
  expect(engines?.node).toBe('>=24')
  expect(await runAs('24.0.0')).toMatchObject({ stderr: '' })
})

test('every script that runs node checks the Node.js version first', () => {
  const running = Object.entries(scripts).filter(([, script]) => /(^|&& )node /.test(script))

  expect(running.length).toBeGreaterThan(5)
  for (const [name, script] of running)
    expect(script, name).toMatch(/^(node server\/check-node\.js && |npm run (build|types) && |vitest run )/)
})

test('npm does not warn about an old Node.js, because npm installs a newer one for the program', () => {
  using folder = newDataDir()
  cpSync('.npmrc', join(folder.path, '.npmrc'))
  const facts = { name: 'demanding', version: '1.0.0', engines: { node: '>=999' } }
  writeFileSync(join(folder.path, 'package.json'), JSON.stringify(facts))
  const lock = { ...facts, lockfileVersion: 3, requires: true, packages: { '': facts } }
  writeFileSync(join(folder.path, 'package-lock.json'), JSON.stringify(lock))

  const output = execFileSync('sh', ['-c', 'npm ci --offline 2>&1'], { cwd: folder.path, encoding: 'utf8' })

  expect(output).not.toContain('EBADENGINE')
})
