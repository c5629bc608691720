import { setTimeout as sleep } from 'node:timers/promises'
import type { Database as Sqlite } from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type SelectModifierNode,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely'
import { isBusy } from './storage-error.ts'

// The server repeats about forty statements. Searches and lists of ids create any number of others, hence a limit.
const MAX_STATEMENTS = 200
// How long a statement waits for another program's lock, for example while `leads erase` compacts the database. The page
// gives up after 10 s.
const LOCK_PATIENCE_MS = 5_000
const LOCK_RETRY_MS = 20

/**
 * Kysely's SQLite dialect with immediate transactions, transactional migrations, cached statements, and without row locks. If
 * another program has locked the database, a statement waits for a few seconds without blocking this program.
 */
export function createSqliteDialect(sqlite: Sqlite): Dialect {
  const dialect = new SqliteDialect({ database: cacheStatements(sqlite) })
  const createDriver = dialect.createDriver.bind(dialect)
  return Object.assign(dialect, {
    createDriver: () => adaptDriver(createDriver(), sqlite),
    createAdapter: () => new TransactionalAdapter(),
    createQueryCompiler: () => new LocklessCompiler(),
  })
}

function adaptDriver(driver: Driver, sqlite: Sqlite): Driver {
  const acquire = driver.acquireConnection.bind(driver)
  let connection: DatabaseConnection | undefined
  driver.acquireConnection = async (options) => {
    connection ??= waitForLocks(await acquire(options), sqlite)
    return connection
  }
  // After a plain `begin`, the first write may fail immediately instead of waiting for another writer.
  driver.beginTransaction = async (connection) => {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }
  const rollback = driver.rollbackTransaction.bind(driver)
  // If the disk is full or fails, SQLite rolls back by itself. A second rollback would throw and hide the original error.
  driver.rollbackTransaction = async (connection) => {
    if (sqlite.inTransaction) await rollback(connection)
  }
  return driver
}

/** Inside a transaction, a statement doesn't wait, because the transaction already has the lock. */
function waitForLocks(connection: DatabaseConnection, sqlite: Sqlite): DatabaseConnection {
  return {
    streamQuery: (...query) => connection.streamQuery(...query),
    async executeQuery(...query) {
      const until = performance.now() + LOCK_PATIENCE_MS
      for (;;)
        try {
          return await connection.executeQuery(...query)
        } catch (error) {
          if (!isBusy(error) || sqlite.inTransaction || performance.now() > until) throw error
          await sleep(LOCK_RETRY_MS)
        }
    },
  }
}

/**
 * Makes Kysely migrate in a transaction. By default, it doesn't do so with SQLite, so killing the process could leave a
 * half-migrated schema.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Leaves out `for update skip locked`, which SQLite doesn't have or need: its write transactions never overlap. */
class LocklessCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode) {
    if (node.modifier !== 'ForUpdate' && node.modifier !== 'SkipLocked') super.visitSelectModifier(node)
  }
}

/**
 * Caches prepared statements, because most of ours take longer to prepare than to run. SQLite re-prepares them after a
 * schema change.
 */
export function cacheStatements(sqlite: Sqlite): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => sqlite.close(),
    prepare(sql) {
      const cached = statements.get(sql)
      if (cached) return cached
      const statement = sqlite.prepare(sql) as unknown as SqliteStatement
      if (statements.size >= MAX_STATEMENTS) statements.clear()
      statements.set(sql, statement)
      return statement
    },
  }
}
