import type { Database as Sqlite } from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type SelectModifierNode,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteQueryCompiler,
  type SqliteStatement,
} from 'kysely'

// The server repeats about forty statements. Searches and lists of ids create any number of others,
// hence a limit.
const MAX_STATEMENTS = 200

/**
 * Kysely's SQLite dialect with immediate transactions, transactional migrations, cached statements,
 * and without row locks.
 */
export function createSqliteDialect(sqlite: Sqlite): Dialect {
  const dialect = new SqliteDialect({ database: cacheStatements(sqlite) })
  const driver = dialect.createDriver()
  const rollback = driver.rollbackTransaction.bind(driver)
  return Object.assign(dialect, {
    createDriver: () =>
      Object.assign(driver, {
        // After a plain `begin`, the first write may fail immediately instead of waiting for
        // another writer.
        beginTransaction: (connection: DatabaseConnection) =>
          connection.executeQuery(CompiledQuery.raw('begin immediate')),
        // If the disk is full or fails, SQLite rolls back by itself. A second rollback would throw
        // and hide the original error.
        rollbackTransaction: async (connection: DatabaseConnection) => {
          if (sqlite.inTransaction) await rollback(connection)
        },
      }),
    createAdapter: () => new TransactionalAdapter(),
    createQueryCompiler: () => new LocklessCompiler(),
  })
}

/**
 * Makes Kysely migrate in a transaction. By default, it doesn't do so with SQLite, so killing the
 * process could leave a half-migrated schema.
 */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * Leaves out `for update skip locked`, which SQLite doesn't have or need: its write transactions
 * never overlap.
 */
class LocklessCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode) {
    if (node.modifier !== 'ForUpdate' && node.modifier !== 'SkipLocked') super.visitSelectModifier(node)
  }
}

/**
 * Caches prepared statements, because most of ours take longer to prepare than to run. SQLite
 * re-prepares them after a schema change.
 */
function cacheStatements(sqlite: Sqlite): SqliteDatabase {
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
