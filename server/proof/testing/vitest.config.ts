import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { brand } from '#facts/brand.ts'
import { memoryFolder } from './memory-folder.ts'
import { findPostgres } from './postgres.ts'
import { nodeSettings } from './start-program.ts'

// Keeps the temporary files of these tests in memory, if there is room, and deletes what tests that
// were ended have left. The fault cases and the browser tests use the disk.
const temporary = mkdtempSync(join(memoryFolder(), 'website-tests-'))
process.env.TMPDIR = temporary
process.once('exit', () => rmSync(temporary, { recursive: true, force: true }))
// Some programs in tests run as another user.
chmodSync(temporary, 0o1777)
// With compiled code, a thread that a test starts needs half the time for that.
Object.assign(process.env, nodeSettings)
// Most machines of operators, and of CI, are in UTC, where no test would see a wrong time zone.
process.env.TZ = 'America/St_Johns'

/** The tests of what is stored, which run on both databases. All others run only on SQLite. */
const onBoth = [
  'server/app/other-leads.test.ts',
  'server/{database,outbox,push,reminders,webhook}/*.test.ts',
  'server/contact/contact-*.test.ts',
  'server/inbox/{live,sign-in}/*.test.ts',
  'server/inbox/{lead-routes,person,push-routes,read-routes,upload-routes}.test.ts',
  'server/leads/{answers,change,erase,lists,search}/*.test.ts',
  'server/leads/emails/{mail-budget,notice-list,visitor-receipt}.test.ts',
  'server/mailbox/{about-spam,arrivals,belonging,erased-people,lead-room,one-mailbox,reply-limits,returned-notices,set-aside,several-leads,take-in,trouble-email,who-waits}.test.ts',
  'server/proof/upgrade/upgrade.test.ts',
]
/** The patterns without braces. */
function eachOf(pattern: string): string[] {
  const [, start = pattern, names = '', end = ''] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? []
  return names.split(',').map((name) => start + name + end)
}
const root = join(import.meta.dirname, '../../..')
// Otherwise, a test that moves to another folder would no longer run on PostgreSQL.
const moved = onBoth.flatMap(eachOf).filter((pattern) => globSync(pattern, { cwd: root }).length === 0)
if (moved.length > 0) throw new Error(`No test has this name, so vitest.config.ts must change: ${moved}`)
// Tests of SQLite's files, and of PostgreSQL.
const sqliteOnly = 'server/**/*.sqlite.test.ts'
const postgresOnly = 'server/**/*.postgres.test.ts'
// These tests are slow, because restic derives keys slowly on purpose, so only `npm run
// test:container` includes them.
const resticOnly = 'server/offsite/*.test.ts'
// Some tests quote facts about Plumbline, the agency in this repository, so they are skipped for
// any other agency.
const plumblineOnly = brand.name === 'Plumbline' ? [] : ['**/*.plumbline.test.ts']
const exclude = [...configDefaults.exclude, 'client/e2e', '**/dist', ...plumblineOnly]

// `isolate: false` lets test files share imported modules, because importing them again for each
// file would double the time of a run on PostgreSQL. It's also why mocks must be restored. The
// timeouts: on a busy machine, a test can take ten times as long as usual.
const shared = {
  isolate: false,
  restoreMocks: true,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
}
const postgres = {
  ...shared,
  name: 'postgres',
  include: [...onBoth, postgresOnly],
  exclude: [...exclude, sqliteOnly],
  globalSetup: 'server/proof/testing/postgres.ts',
}

const hasPostgres = findPostgres() !== undefined
if (!hasPostgres)
  process.stderr.write(
    'PostgreSQL is not installed: the tests on PostgreSQL are SKIPPED. To install it on Debian, run `npm test` as root, or run: apt-get install postgresql\n',
  )

export default defineConfig({
  root,
  test: {
    projects: [
      { test: { ...shared, name: 'sqlite', exclude: [...exclude, postgresOnly, resticOnly] } },
      { test: { ...shared, name: 'restic', include: [resticOnly] } },
      ...(hasPostgres ? [{ test: postgres }] : []),
    ],
  },
})
