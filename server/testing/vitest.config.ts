import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'

const root = join(import.meta.dirname, '../..')
const exclude = [...configDefaults.exclude, 'client/e2e', 'client/dist']
const postgresOnly = 'server/database/postgres/*.test.ts'
// About the SQLite file, or about no database at all.
const onSqliteOnly = /^server\/(?:backup|doctor|http\/(?:pages|site-files))/
/** Whatever else opens the app's database runs on both. */
const onBoth = globSync('server/**/*.test.ts', { cwd: root }).filter(
  (file) => !onSqliteOnly.test(file) && readFileSync(join(root, file), 'utf8').includes('buildTestApp'),
)

export default defineConfig({
  root,
  test: {
    projects: [
      { test: { name: 'sqlite', exclude: [...exclude, postgresOnly] } },
      {
        test: {
          name: 'postgres',
          include: [...onBoth, postgresOnly],
          globalSetup: 'server/testing/postgres-setup.ts',
        },
      },
    ],
  },
})
