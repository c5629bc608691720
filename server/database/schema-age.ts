import type Sqlite from 'better-sqlite3'
import { compareAge, type SchemaAge } from './migrate.ts'

/** Compares the schema of an SQLite database with this program's. */
export function schemaAge(sqlite: Sqlite.Database): SchemaAge {
  const tables = sqlite
    .prepare<[], string>(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'",
    )
    .pluck()
    .all()
  if (!tables.includes('kysely_migration')) return tables.length > 0 ? 'foreign' : 'empty'
  return compareAge(sqlite.prepare<[], string>('select name from kysely_migration').pluck().all())
}
