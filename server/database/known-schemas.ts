import Sqlite from 'better-sqlite3'
import { Kysely } from 'kysely'
import { replaceSteering } from '#shared/steering-characters.ts'
import { migrate, sqliteMigrationNames } from './migrate.ts'
import { schemaAge } from './schema-age.ts'
import { WritingSqliteDialect } from './sqlite-dialect.ts'

/** What a fresh database consists of after each migration, in their order. */
export type Shapes = Map<string, Definition>[]
type Definition = { type: string; name: string; sql: string }

// So many ran statement by statement in earlier versions: a kill could leave a file between two of them.
const STEPS_IN_PARTS = 5

/** Makes a fresh database in memory, and notes its shape after each migration. */
export async function knownShapes(): Promise<Shapes> {
  const sqlite = new Sqlite(':memory:')
  const db = new Kysely({ dialect: new WritingSqliteDialect(sqlite) })
  const shapes: Shapes = []
  for (const step of sqliteMigrationNames) {
    await migrate(db, step)
    shapes.push(shapeOf(sqlite))
  }
  await db.destroy()
  return shapes
}

/**
 * Why a file is not as this program makes it, in words for whoever gave it; undefined where it is. A trigger in it would
 * act on every new lead, and a view can stand in a table's place: nothing but definitions is read until these are known.
 */
export function whyNotOurs(sqlite: Sqlite.Database, shapes: Shapes): string | undefined {
  const found = shapeOf(sqlite)
  const history = [...found].find(([, { name }]) => name === 'kysely_migration')?.[0]
  const age = history && shapes[0]?.has(history) ? schemaAge(sqlite) : 'empty'
  if (age === 'newer') return 'It was written by a newer version of this program: restore it with that one.'

  const stranger = firstOutside(found, ...shapes)
  if (stranger) return foreign(stranger)
  if (age === 'empty')
    return 'It has no list of migrations (kysely_migration), so this program never finished making it.'

  const applied = sqlite.prepare('select name from kysely_migration order by name').pluck().all()
  const steps = applied.length
  if (applied.some((name, index) => name !== sqliteMigrationNames[index]))
    return 'Its list of migrations (kysely_migration) has gaps.'
  const [shape = new Map(), next = new Map()] = shapes.slice(steps - 1)
  const isInParts = steps < STEPS_IN_PARTS
  const misplaced = firstOutside(found, shape, ...(isInParts ? [next] : []))
  if (misplaced) return foreign(misplaced)
  const missing = isInParts ? undefined : firstOutside(shape, found)
  return missing && `It lacks the ${named(missing)}.`
}

type Shape = Shapes[number]

const firstOutside = (shape: Shape, ...known: Shape[]): Definition | undefined =>
  [...shape].find(([key]) => !known.some((other) => other.has(key)))?.[1]

const foreign = (definition: Definition) =>
  `It has the ${named(definition)}, which this program did not make so.`

const named = ({ type, name }: Definition) => `${type} ${replaceSteering(name).slice(0, 100)}`

/** By type, name and definition. What SQLite makes by itself (indices of constraints, ANALYZE) is left out. */
function shapeOf(sqlite: Sqlite.Database): Shape {
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

// How Kysely writes its own tables is not up to us, but they have these columns and nothing else.
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

/** The fourth step copies two tables, then gives the copies the names of the originals. */
const toFinalNames = (text: string) =>
  text.replaceAll(/\bnew_outbox\b/g, 'outbox').replaceAll(/\bnew_attempts\b/g, 'outbox_attempts')
