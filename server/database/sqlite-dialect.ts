import type { Database as Sqlite } from 'better-sqlite3'
import {
  CompiledQuery,
  type Driver,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from 'kysely'

// The server uses about forty. Searches and lists of ids create unlimited new ones.
const MAX_STATEMENTS = 200

/** Kysely's SQLite dialect with write transactions, transactional migrations, and reused statements. */
export class AppSqliteDialect extends SqliteDialect {
  readonly #sqlite: Sqlite
  readonly #onFailedRollback: (error: unknown) => void

  /** `onFailedRollback` should end the process: after a failed rollback, every later transaction fails. */
  constructor(sqlite: Sqlite, onFailedRollback: (error: unknown) => void = () => {}) {
    super({ database: cacheStatements(sqlite) })
    this.#sqlite = sqlite
    this.#onFailedRollback = onFailedRollback
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }

  override createDriver(): Driver {
    const driver = super.createDriver()
    const rollback = driver.rollbackTransaction.bind(driver)
    // Kysely sends a plain `begin`, but SQLite waits for another writer only after `begin immediate`.
    driver.beginTransaction = async (connection) => {
      await connection.executeQuery(CompiledQuery.raw('begin immediate'))
    }
    // After a full disk or an I/O error, SQLite has already rolled back. Trying again would fail and hide the cause.
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

/** Kysely's default is false: it commits each migration statement alone, so a kill leaves a broken schema. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Preparing a statement takes longer than running most of ours. After a schema change, SQLite prepares it again itself. */
export function cacheStatements(sqlite: Sqlite): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()

  function prepare(sql: string): SqliteStatement {
    const statement = sqlite.prepare(sql)
    return {
      reader: statement.reader,
      all: (parameters) => statement.all(parameters),
      run: (parameters) => statement.run(parameters),
      // A statement that is being iterated can't be used for anything else.
      iterate: (parameters) => sqlite.prepare(sql).iterate(parameters) as IterableIterator<unknown>,
    }
  }

  return {
    close: () => sqlite.close(),
    prepare(sql) {
      const known = statements.get(sql)
      if (known) return known
      const statement = prepare(sql)
      // Evict the oldest: a map keeps insertion order.
      if (statements.size >= MAX_STATEMENTS) statements.delete(statements.keys().next().value ?? '')
      statements.set(sql, statement)
      return statement
    },
  }
}
