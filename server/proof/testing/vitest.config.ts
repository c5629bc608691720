import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { memoryFolder } from './memory-folder.ts'
import { findPostgres } from './postgres.ts'

// Keeps the temporary files of these tests in memory, if there is room. The fault cases and the browser tests use the disk.
process.env.TMPDIR = memoryFolder()

const root = join(import.meta.dirname, '../../..')
// Resolves `#facts` and `#brand` to the same agency as Node.js does: see `imports` in package.json.
const resolve = {
  alias: [
    {
      find: /^#facts\//,
      replacement: fileURLToPath(import.meta.resolve('#facts/brand.ts')).replace(/brand\.ts$/, ''),
    },
    {
      find: /^#brand\//,
      replacement: fileURLToPath(import.meta.resolve('#brand/mark.ts')).replace(/mark\.ts$/, ''),
    },
  ],
}
// Some tests quote facts about Plumbline, the agency in this repository, so they are skipped for any other agency. The tests
// in other-agency/ examine that agency's build, so they are skipped unless its facts are selected. The upgrade test reads the
// facts of an older commit, so running it once is enough.
const { brand } = await import(import.meta.resolve('#facts/brand.ts'))
const isOtherAgency = import.meta.resolve('#facts/brand.ts').includes('/other-agency/')
const ofOthers = [
  ...(brand.name === 'Plumbline' ? [] : ['**/*.plumbline.test.ts']),
  isOtherAgency ? 'client/upgrade.test.ts' : 'server/proof/other-agency/**',
]
const exclude = [...[...configDefaults.exclude, 'client/e2e', '**/dist'], ...ofOthers]
// These tests are slow, because restic derives keys slowly on purpose, so only `npm run test:container` includes them.
const resticOnly = 'server/offsite/*.test.ts'
const postgresOnly = 'server/**/*.postgres.test.ts'
const isSqliteOnly = /\.sqlite\.test\.ts$/

const testFiles = globSync('server/**/*.test.ts', {
  cwd: root,
  exclude: [postgresOnly, resticOnly, ...ofOthers],
}).map((file) => file.replaceAll('\\', '/'))
const sqliteOnly = testFiles.filter((file) => isSqliteOnly.test(file))
// A test that opens the app's database and is in neither list fails: see open-test-database.ts.
const onBoth = testFiles.filter(
  (file) =>
    !isSqliteOnly.test(file) &&
    /\b(?:buildTestApp|useTestApp|openTestDatabase)\b/.test(readFileSync(join(root, file), 'utf8')),
)

// `isolate: false` lets test files share imported modules, because importing them again for each file would double the time
// of a run on PostgreSQL. It's also why mocks must be restored. `testTimeout`: on a busy machine, a test that usually takes
// one second can take ten. `retry`: in CI, a failed test runs again. If it then passes, it is still reported, so that
// somebody fixes it.
const shared = {
  isolate: false,
  restoreMocks: true,
  testTimeout: 20_000,
  retry: process.env.CI ? 1 : 0,
  expect: { poll: { timeout: 10_000 } },
  provide: { sqliteOnly, onBoth },
}

const postgres = {
  resolve,
  test: {
    ...shared,
    name: 'postgres',
    include: [...onBoth, postgresOnly],
    globalSetup: 'server/proof/testing/postgres.ts',
  },
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
      { resolve, test: { ...shared, name: 'sqlite', exclude: [...exclude, postgresOnly, resticOnly] } },
      { resolve, test: { ...shared, name: 'restic', include: [resticOnly] } },
      ...(hasPostgres ? [postgres] : []),
    ],
  },
})
