import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Database } from './schema.ts'

/**
 * Compiles a query once and reuses it, because building a request's queries takes longer than
 * running them. `build` gets placeholders instead of values. Every call must pass all parameters,
 * with null for a missing value.
 */
export function prepared<Parameters extends object, Row>(
  build: (db: Database, parameters: Parameters) => Compilable<Row>,
) {
  // One query for each open database, because SQLite and PostgreSQL need different SQL.
  const compiled = new WeakMap<object, CompiledQuery<Row>>()

  return (db: Database, parameters: Parameters): Promise<QueryResult<Row>> => {
    // A transaction has the same adapter as its database.
    const { adapter } = db.getExecutor()
    const query = compiled.get(adapter) ?? build(db, placeholdersFor(parameters)).compile()
    compiled.set(adapter, query)
    const values = query.parameters.map((value) =>
      typeof value === 'symbol' ? parameters[value.description as keyof Parameters] : value,
    )
    return db.executeQuery({ ...query, parameters: values })
  }
}

const placeholdersFor = <Parameters extends object>(parameters: Parameters) =>
  Object.fromEntries(Object.keys(parameters).map((name) => [name, Symbol(name)])) as Parameters
