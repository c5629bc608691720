import Sqlite from 'better-sqlite3'
import { Kysely } from 'kysely'
import { replaceInvisible } from '#shared/invisible-characters.ts'
import { migrate, sqliteMigrationNames } from './migrate.ts'
import { schemaAge } from './schema-age.ts'
import { AppSqliteDialect } from './sqlite-dialect.ts'

type Definition = { type: string; name: string; sql: string }
/** Definitions by their normalized text. */
type Definitions = Map<string, Definition>

// Earlier versions ran these migrations statement by statement, so a kill could leave a database in the middle of one.
const UNSAFE_STEPS = 5

/** The schema after each migration, in order, from a fresh database in memory. */
export async function knownSchemas(): Promise<Definitions[]> {
  const sqlite = new Sqlite(':memory:')
  const db = new Kysely({ dialect: new AppSqliteDialect(sqlite) })
  const schemas: Definitions[] = []
  for (const step of sqliteMigrationNames) {
    await migrate(db, step)
    schemas.push(readSchema(sqlite))
  }
  await db.destroy()
  return schemas
}

/**
 * Says in plain words how the schema differs from this program's; undefined if it doesn't. Danger: a trigger would act on
 * every new lead, and a view can replace a table, so this reads only definitions until it knows them.
 */
export function findSchemaMismatch(sqlite: Sqlite.Database, schemas: Definitions[]): string | undefined {
  const found = readSchema(sqlite)
  const history = [...found].find(([, { name }]) => name === 'kysely_migration')?.[0]
  const age = history && schemas[0]?.has(history) ? schemaAge(sqlite) : 'empty'
  if (age === 'newer')
    return 'It was written by a newer version of this program. Restore it with that version.'

  const unknown = firstOutside(found, ...schemas)
  if (unknown) return foreign(unknown)
  if (age === 'empty')
    return 'It has no list of migrations (kysely_migration), so this program never finished creating it.'

  const applied = sqlite.prepare('select name from kysely_migration order by name').pluck().all()
  const steps = applied.length
  if (applied.some((name, index) => name !== sqliteMigrationNames[index]))
    return 'Its list of migrations (kysely_migration) has gaps.'
  const [expected = new Map(), next = new Map()] = schemas.slice(steps - 1)
  const mayBeHalfDone = steps < UNSAFE_STEPS
  const misplaced = firstOutside(found, expected, ...(mayBeHalfDone ? [next] : []))
  if (misplaced) return foreign(misplaced)
  const missing = mayBeHalfDone ? undefined : firstOutside(expected, found)
  return missing && `It is missing the ${named(missing)}.`
}

const firstOutside = (definitions: Definitions, ...known: Definitions[]): Definition | undefined =>
  [...definitions].find(([key]) => !known.some((other) => other.has(key)))?.[1]

const foreign = (definition: Definition) =>
  `It has the ${named(definition)}, which this program did not create.`

const named = ({ type, name }: Definition) => `${type} ${replaceInvisible(name).slice(0, 100)}`

/** Skips what SQLite itself creates (constraint indexes, ANALYZE tables). */
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

// Kysely may change how it writes its own tables, so allow variants with exactly these columns.
const column = String.raw`(?:varchar\(255\)|text|integer)(?: not null| primary key| unique| default '?0'?)*`
const kyselysOwn = new RegExp(
  String.raw`^create table kysely_migration(?: \(name ${column}, timestamp ${column}|_lock \(id ${column}, is_locked ${column})\)$`,
  'i',
)

function keyOf({ type, name, sql }: Definition): string {
  const plain = sql.replace(/"(\w+)"/g, '$1').replace(/\s+/g, ' ')
  if (kyselysOwn.test(plain)) return `${type} ${name}`
  return toFinalNames(`${type} ${name} ${plain}`)
}

/** Migration 004 copies two tables, then renames the copies to the originals. */
const toFinalNames = (text: string) =>
  text.replaceAll(/\bnew_outbox\b/g, 'outbox').replaceAll(/\bnew_attempts\b/g, 'outbox_attempts')
