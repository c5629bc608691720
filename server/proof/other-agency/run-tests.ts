import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'

// Runs the unit tests with the facts and words of the other agency: all of them, or with --short, those of the page, the
// digest, the reminders and the webhook. Other arguments are for Vitest.

const SHORT = [
  'shared',
  'client',
  'server/digest',
  'server/reminders',
  'server/webhook',
  'server/proof/other-agency',
]
const args = process.argv.slice(2)
const isShort = args.includes('--short')
const { resolve } = createRequire(import.meta.url)
const program = (name: string, path: string) => join(resolve(`${name}/package.json`), '..', path)
const tsc = program('typescript', 'bin/tsc')
const vitest = [
  ...[program('vitest', 'vitest.mjs'), 'run', '--config', 'server/proof/testing/vitest.config.ts'],
  // `npm test` runs the short tests beside the other unit tests, which need the cores.
  ...(isShort ? ['--maxWorkers=1', '--project=sqlite', ...SHORT] : ['--maxWorkers=3', '--project=!restic']),
  ...args.filter((arg) => arg !== '--short'),
]

// The condition chooses among the `imports` in package.json, in this program's child processes, too.
process.env.NODE_OPTIONS = '--conditions=other-agency'
for (const command of [
  [tsc, '-p', 'server/proof/other-agency'],
  [tsc, '-p', 'server/proof/other-agency/tsconfig.client.json'],
  ['server/leads/spam/build.ts'],
  ['client/build.ts'],
  vitest,
]) {
  const { status } = spawnSync(process.execPath, command, { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
}
