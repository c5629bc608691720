import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { findPostgres } from './start-postgres.ts'

const root = join(import.meta.dirname, '../..')
const exclude = [...configDefaults.exclude, 'client/e2e', 'client/dist']
const postgresOnly = 'server/database/postgres/*.test.ts'
// About the SQLite file, or about no database at all.
const onSqliteOnly = /^server\/(?:backup|doctor|http\/(?:pages|site-files))/
/** Whatever else opens the app's database runs on both. */
const onBoth = globSync('server/**/*.test.ts', { cwd: root }).filter(
  (file) => !onSqliteOnly.test(file) && readFileSync(join(root, file), 'utf8').includes('buildTestApp'),
)

const postgres = {
  test: {
    name: 'postgres',
    isolate: false,
    include: [...onBoth, postgresOnly],
    globalSetup: 'server/testing/postgres-setup.ts',
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
      { test: { name: 'sqlite', exclude: [...exclude, postgresOnly] } },
      ...(isPostgresThere ? [postgres] : []),
    ],
  },
})
