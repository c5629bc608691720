import Sqlite from 'better-sqlite3'
import { Kysely } from 'kysely'
import { replaceInvisible } from '#shared/invisible-characters.ts'
import { migrate, sqliteMigrationNames } from './migrate.ts'
import { schemaAge } from './schema-age.ts'
import { createSqliteDialect } from './sqlite-dialect.ts'

type Definition = { type: string; name: string; sql: string }
/** Definitions by their normalized text. */
type Definitions = Map<string, Definition>

// Earlier versions ran migrations 001 to 005 without a transaction, so a killed upgrade could leave one of them half done.
const NON_ATOMIC_MIGRATIONS = 5

/** Returns the schema after each migration, by running them on a new in-memory database. */
export async function knownSchemas(): Promise<Definitions[]> {
  const sqlite = new Sqlite(':memory:')
  const db = new Kysely({ dialect: createSqliteDialect(sqlite) })
  const schemas: Definitions[] = []
  for (const name of sqliteMigrationNames) {
    await migrate(db, name)
    schemas.push(readSchema(sqlite))
  }
  await db.destroy()
  return schemas
}

/**
 * Describes how the schema differs from the ones that this program creates, or returns undefined if it doesn't. Danger: in a
 * hostile file, a trigger could copy every new lead and a view could pose as a table, so don't read any rows before
 * checking the definitions.
 */
export function findSchemaMismatch(sqlite: Sqlite.Database, schemas: Definitions[]): string | undefined {
  const found = readSchema(sqlite)
  const history = [...found].find(([, { name }]) => name === 'kysely_migration')?.[0]
  const age = history && schemas[0]?.has(history) ? schemaAge(sqlite) : 'empty'
  if (age === 'newer')
    return 'It was written by a newer version of this program. Restore it with that version.'

  const unknown = firstUnknown(found, ...schemas)
  if (unknown) return unexpected(unknown)
  if (age === 'empty')
    return 'It has no list of migrations (kysely_migration), so this program never finished creating it.'

  const applied = sqlite.prepare('select name from kysely_migration order by name').pluck().all()
  const count = applied.length
  if (applied.some((name, index) => name !== sqliteMigrationNames[index]))
    return 'Its list of migrations (kysely_migration) has gaps.'
  const [expected = new Map(), next = new Map()] = schemas.slice(count - 1)
  const mayBeHalfDone = count < NON_ATOMIC_MIGRATIONS
  const misplaced = firstUnknown(found, expected, ...(mayBeHalfDone ? [next] : []))
  if (misplaced) return unexpected(misplaced)
  const missing = mayBeHalfDone ? undefined : firstUnknown(expected, found)
  return missing && `It is missing the ${nameOf(missing)}.`
}

const firstUnknown = (definitions: Definitions, ...known: Definitions[]): Definition | undefined =>
  [...definitions].find(([key]) => !known.some((other) => other.has(key)))?.[1]

const unexpected = (definition: Definition) =>
  `It has the ${nameOf(definition)}, which this program did not create.`

const nameOf = ({ type, name }: Definition) => `${type} ${replaceInvisible(name).slice(0, 100)}`

/** Skips the constraint indexes and ANALYZE tables that SQLite creates itself. */
function readSchema(sqlite: Sqlite.Database): Definitions {
  const rows = sqlite
    .prepare<[], Definition>("select type, name, coalesce(sql, '') as sql from sqlite_schema")
    .all()
  const own = rows.filter(
    ({ type, name, sql }) =>
      !(type === 'index' && sql === '' && name.startsWith('sqlite_autoindex_')) &&
      !(type === 'table' && /^CREATE TABLE sqlite_stat\d\([\w,]+\)$/.test(sql)),
  )
  return new Map(own.map((definition) => [keyOf(definition), definition]))
}

// Another version of Kysely may define its own tables differently, so allow variants with the same columns.
const column = String.raw`(?:varchar\(255\)|text|integer)(?: not null| primary key| unique| default '?0'?)*`
const kyselyTable = new RegExp(
  String.raw`^create table kysely_migration(?: \(name ${column}, timestamp ${column}|_lock \(id ${column}, is_locked ${column})\)$`,
  'i',
)

function keyOf({ type, name, sql }: Definition): string {
  const plain = sql.replace(/"(\w+)"/g, '$1').replace(/\s+/g, ' ')
  if (kyselyTable.test(plain)) return `${type} ${name}`
  // Migration 004 copies two tables, drops the originals, and renames the copies. If it was killed, the copies may still
  // have their temporary names.
  return `${type} ${name} ${plain}`
    .replaceAll(/\bnew_outbox\b/g, 'outbox')
    .replaceAll(/\bnew_attempts\b/g, 'outbox_attempts')
}
