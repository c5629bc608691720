import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { findPostgres } from './start-postgres.ts'

const root = join(import.meta.dirname, '../../..')
const exclude = [...configDefaults.exclude, 'client/e2e', 'client/dist']
// restic derives keys slowly, on purpose: these belong to the container's proof.
const resticOnly = 'server/offsite/*.test.ts'
const postgresOnly = 'server/database/postgres/*.test.ts'
// About the SQLite file, or about no database at all.
const onSqliteOnly = /^server\/(?:backup|doctor|http\/(?:pages|site-files))/
/** Whatever else opens the app's database runs on both. */
const onBoth = globSync('server/**/*.test.ts', { cwd: root }).filter(
  (file) => !onSqliteOnly.test(file) && readFileSync(join(root, file), 'utf8').includes('buildTestApp'),
)

// Files share what they import, which would cost as much as the half of PostgreSQL; so what one mocks must not stay.
const shared = { isolate: false, restoreMocks: true }

const postgres = {
  test: {
    ...shared,
    name: 'postgres',
    include: [...onBoth, postgresOnly],
    globalSetup: 'server/proof/testing/postgres-setup.ts',
  },
}

const isPostgresThere = findPostgres() !== undefined
if (!isPostgresThere)
  process.stderr.write(
    'PostgreSQL is not installed (Debian: apt-get install postgresql): its half of the tests is SKIPPED.\n',
  )

export default defineConfig({
  root,
  test: {
    projects: [
      { test: { ...shared, name: 'sqlite', exclude: [...exclude, postgresOnly, resticOnly] } },
      { test: { ...shared, name: 'restic', include: [resticOnly] } },
      ...(isPostgresThere ? [postgres] : []),
    ],
  },
})
