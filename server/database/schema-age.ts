import type Sqlite from 'better-sqlite3'
import { migrationNames } from './migrate.ts'

export type SchemaAge = 'empty' | 'older' | 'current' | 'newer'

/** How the shape of a database compares with the one that this program knows. */
export function schemaAge(sqlite: Sqlite.Database): SchemaAge {
  const isTable = sqlite.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get()
  const applied = isTable ? sqlite.prepare('select name from kysely_migration').pluck().all() : []
  if (applied.length === 0) return 'empty'
  if (applied.some((name) => !migrationNames.includes(String(name)))) return 'newer'
  return applied.length === migrationNames.length ? 'current' : 'older'
}

export class NewerDatabase extends Error {
  override name = 'NewerDatabase'
}
