import { type RawBuilder, sql } from 'kysely'
import { isShared } from './differences.ts'
import type { Database } from './schema.ts'

export type ColumnTypes = Readonly<Record<string, 'text' | 'integer' | 'json'>>

/**
 * A subquery that turns each object of a JSON array into a row, in the array's order. With it, one statement with one
 * parameter can handle any number of rows.
 */
export function jsonRows(db: Database, json: string, columns: ColumnTypes): RawBuilder<unknown> {
  const names = columnNames(columns)
  if (isShared(db)) {
    const entries = Object.entries(columns)
    // The array contains the JSON of such a column as a string, so read it as text, then cast it.
    const types = entries.map(
      ([name, type]) => sql`${sql.id(name)} ${sql.raw(type === 'json' ? 'text' : type)}`,
    )
    const values = entries.map(([name, type]) =>
      type === 'json' ? sql`cast(${sql.id(name)} as json) as ${sql.id(name)}` : sql.id(name),
    )
    return sql`(select ${sql.join(values)} from rows from (json_to_recordset(cast(${json} as json)) as (${sql.join(types)}))
      with ordinality as entry (${names}, position) order by position)`
  }
  const values = Object.keys(columns).map((name) => sql`value ->> ${sql.lit(name)} as ${sql.id(name)}`)
  return sql`(select ${sql.join(values)} from jsonb_each(${json}))`
}

/** The names of columns, for a list in a statement. */
export const columnNames = (columns: ColumnTypes): RawBuilder<unknown> =>
  sql.join(Object.keys(columns).map((name) => sql.id(name)))

/** The names of columns, typed for Kysely's query builder. */
export const columnsOf = <Types extends ColumnTypes>(columns: Types) =>
  Object.keys(columns) as (keyof Types & string)[]
