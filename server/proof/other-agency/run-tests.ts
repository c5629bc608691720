import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'

// Checks the types, and runs the unit tests and the browser tests, with the facts and words of the other agency. With
// --short, checks only the types of the client, and runs only the unit tests of the page, the digest and the reminders.
// Passes other arguments to Vitest, and then doesn't run the browser tests.

const here = 'server/proof/other-agency'
const SHORT = ['shared', 'client', 'server/digest', 'server/reminders', here]
const args = process.argv.slice(2)
const isShort = args.includes('--short')
const forVitest = args.filter((arg) => arg !== '--short')
const { resolve } = createRequire(import.meta.url)
const program = (name: string, path: string) => join(resolve(`${name}/package.json`), '..', path)
const tsc = program('typescript', 'bin/tsc')
const vitest = [
  ...[program('vitest', 'vitest.mjs'), 'run', '--config', 'server/proof/testing/vitest.config.ts'],
  // `npm test` runs the short tests at the same time as all unit tests, which need the other cores.
  ...(isShort ? ['--maxWorkers=1', '--project=sqlite', ...SHORT] : ['--maxWorkers=5', '--project=!restic']),
  ...forVitest,
]
// The same arguments as in `npm run test:e2e`.
const playwright = [
  ...[program('@playwright/test', 'cli.js'), 'test', '-c', 'client/e2e'],
  ...['--grep-invert', 'captured'],
]

// This condition makes the `imports` in package.json select the other agency in all processes that this program starts.
process.env.NODE_OPTIONS = '--conditions=other-agency'
for (const command of [
  ...(isShort ? [] : [[tsc, '-p', here]]),
  [tsc, '-p', `${here}/tsconfig.client.json`],
  ['server/build.ts'],
  ['client/build.ts'],
  vitest,
  ...(args.length === 0 ? [playwright] : []),
]) {
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
