import type { Database as Sqlite } from 'better-sqlite3'
import { CompiledQuery, type Driver, SqliteDialect } from 'kysely'

/** Kysely's SQLite, with transactions as this program needs them: all of ours write. */
export class WritingSqliteDialect extends SqliteDialect {
  readonly #sqlite: Sqlite

  constructor(sqlite: Sqlite) {
    super({ database: sqlite })
    this.#sqlite = sqlite
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
      if (this.#sqlite.inTransaction) await rollback(connection)
    }
    return driver
  }
}
