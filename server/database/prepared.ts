import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import { isShared } from './differences.ts'
import type { Database } from './schema.ts'

/**
 * Builds and compiles a query once per kind of database and reuses it: building a request's queries takes longer than
 * running them. `build` gets placeholders, so it may only pass them on to the query. Each call needs all parameters; use
 * null for none.
 */
export function prepared<Parameters extends object, Row>(
  build: (db: Database, parameters: Parameters) => Compilable<Row>,
) {
  // By `isShared`: the SQL differs.
  const known = new Map<boolean, CompiledQuery<Row>>()

  return (db: Database, parameters: Parameters): Promise<QueryResult<Row>> => {
    const shared = isShared(db)
    const query = known.get(shared) ?? build(db, placeholdersFor(parameters)).compile()
    known.set(shared, query)
    const values = query.parameters.map((value) =>
      value instanceof Placeholder ? parameters[value.name as keyof Parameters] : value,
    )
    return db.executeQuery({ ...query, parameters: values })
  }
}

class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

const placeholdersFor = <Parameters extends object>(parameters: Parameters) =>
  Object.fromEntries(Object.keys(parameters).map((name) => [name, new Placeholder(name)])) as Parameters
