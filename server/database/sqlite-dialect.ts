import type { Database as Sqlite } from 'better-sqlite3'
import {
  CompiledQuery,
  type Driver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from 'kysely'

// The server has some forty different ones; only a search or a list of ids makes new ones without end.
const MOST_STATEMENTS = 200

/**
 * Kysely's SQLite as this program needs it: all transactions write, all migrations run in one of them, and the same SQL
 * is compiled once.
 */
export class WritingSqliteDialect extends SqliteDialect {
  readonly #sqlite: Sqlite
  readonly #onFailedRollback: (error: unknown) => void

  /** After a failed rollback every later transaction fails: `onFailedRollback` should end the process. */
  constructor(sqlite: Sqlite, onFailedRollback: (error: unknown) => void = () => {}) {
    super({ database: reuseStatements(sqlite) })
    this.#sqlite = sqlite
    this.#onFailedRollback = onFailedRollback
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }

  override createDriver(): Driver {
    const driver = super.createDriver()
    const rollback = driver.rollbackTransaction.bind(driver)
    // Kysely sends a plain `begin`; SQLite waits for another writer only where the transaction begins as a writing one.
    driver.beginTransaction = async (connection) => {
      await connection.executeQuery(CompiledQuery.raw('begin immediate'))
    }
    // On a full disk or an I/O error SQLite has rolled back already; a second one would fail and hide the reason.
    driver.rollbackTransaction = async (connection) => {
      if (!this.#sqlite.inTransaction) return
      try {
        await rollback(connection)
      } catch (error) {
        this.#onFailedRollback(error)
        throw error
      }
    }
    return driver
  }
}

/** Kysely says no here, and then commits each statement of a migration alone: a kill in between is never repaired. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Preparing takes SQLite longer than most of our statements run. One whose tables have changed it prepares anew itself. */
export function reuseStatements(sqlite: Sqlite): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()

  function prepare(sql: string): SqliteStatement {
    const statement = sqlite.prepare(sql)
    return {
      reader: statement.reader,
      all: (parameters) => statement.all(parameters),
      run: (parameters) => statement.run(parameters),
      // One that is being read row by row can do nothing else meanwhile.
      iterate: (parameters) => sqlite.prepare(sql).iterate(parameters) as IterableIterator<unknown>,
    }
  }

  return {
    close: () => sqlite.close(),
    prepare(sql) {
      const known = statements.get(sql)
      if (known) return known
      const statement = prepare(sql)
      // The oldest goes: a map keeps the order of insertion.
      if (statements.size >= MOST_STATEMENTS) statements.delete(statements.keys().next().value ?? '')
      statements.set(sql, statement)
      return statement
    },
  }
}
