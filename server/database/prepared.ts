import type { Compilable, CompiledQuery, QueryResult } from 'kysely'
import type { Database } from './schema.ts'

/**
 * A query that is built and compiled once and from then on only given its parameters: a request that pays for building
 * all of its queries pays more for that than for what the database does. `build` may only hand its parameters on to
 * the query, for it sees stand-ins. Each call gives all of them, null where there is nothing.
 */
export function prepared<Parameters extends object, Row>(
  build: (db: Database, parameters: Parameters) => Compilable<Row>,
) {
  // The two databases have adapters, and placeholders, of their own.
  const known = new WeakMap<object, CompiledQuery<Row>>()

  return (db: Database, parameters: Parameters): Promise<QueryResult<Row>> => {
    const { adapter } = db.getExecutor()
    const query = known.get(adapter) ?? build(db, standInsFor(parameters)).compile()
    known.set(adapter, query)
    const values = query.parameters.map((value) =>
      value instanceof StandIn ? parameters[value.name as keyof Parameters] : value,
    )
    return db.executeQuery({ ...query, parameters: values })
  }
}

class StandIn {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

const standInsFor = <Parameters extends object>(parameters: Parameters) =>
  Object.fromEntries(Object.keys(parameters).map((name) => [name, new StandIn(name)])) as Parameters
