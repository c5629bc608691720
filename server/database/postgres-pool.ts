import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { StorageUnavailable } from './storage-error.ts'

// PostgreSQL allows 100 connections by default (max_connections), enough for six replicas and an
// administrator. Each of the ten jobs that run alone holds one, and needs another: if all of them
// run at once, that must leave some for requests (see `runAlone`).
const MAX_CONNECTIONS = 16
// The page gives up after 10 s, so connecting and running a statement must take less in total.
const CONNECT_MS = 3_000
const STATEMENT_MS = 5_000
// Applies only if the network drops packets. Otherwise, PostgreSQL cancels the statement first.
const QUERY_MS = 6_000
// Releases the locks of a replica that disappears during a transaction.
const IDLE_IN_TRANSACTION_MS = 10_000

// Our bigints are far below 2^53, so a number holds them exactly. JSON stays text.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.JSON, String)

/**
 * Who runs the queries. Those of a server's visitors time out; those of an operator's commands
 * don't.
 */
export type Audience = 'visitor' | 'operator'

/**
 * Creates a connection pool for Kysely, which connects on first use. Its errors are
 * `StorageUnavailable`, unless a statement or its data is invalid.
 */
export function createPool(url: string, audience: Audience): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'website',
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...(audience !== 'operator' && {
      statement_timeout: STATEMENT_MS,
      query_timeout: QUERY_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    }),
    // A statement, because a pooler may reject startup options.
    onConnect: (client) => client.query(sessionSettings),
  })
  // Without these listeners, a lost connection would crash the process. The next query reports the
  // loss.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      try {
        return toKyselyClient(await pool.connect())
      } catch (error) {
        // An invalid URL or an unreadable certificate file also ends up here.
        return rethrow(error)
      }
    },
  }
}

/**
 * Overrides defaults of the server, database and user:
 *
 * - `read committed`: after waiting for a lock (`lockNames`), a transaction must see what the
 *   previous holder wrote.
 * - `synchronous_commit`: commits must be on disk. Keeps stricter settings, such as waiting for a
 *   standby.
 * - `tcp_*`: if a machine disappears, PostgreSQL must release its locks within half a minute, not
 *   hours.
 */
const sessionSettings = `
  set default_transaction_isolation = 'read committed';
  select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off';
  set tcp_keepalives_idle = 10;
  set tcp_keepalives_interval = 5;
  set tcp_keepalives_count = 3;
  set tcp_user_timeout = 25000`

function toKyselyClient(client: pg.PoolClient): PostgresPoolClient {
  // After a query without a response, the connection's state is unknown, so never use it again.
  let failure: unknown
  async function query(text: string, parameters: readonly unknown[]) {
    // Fail immediately. Otherwise, the rollback would time out, too.
    if (failure !== undefined) return rethrow(failure)
    try {
      return await client.query(text, [...parameters])
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) failure = error
      return rethrow(error)
    }
  }
  return {
    // The cast is safe: Kysely passes a cursor instead of SQL text only if configured to.
    query: query as unknown as PostgresPoolClient['query'],
    release: (isDiscarded = false) => client.release(isDiscarded || failure !== undefined),
  }
}

// SQLSTATE classes for a bad statement or bad data, where retrying doesn't help.
const STATEMENT_ERRORS = /^(21|22|23|26|34|42)/

function rethrow(error: unknown): never {
  if (!(error instanceof pg.DatabaseError && STATEMENT_ERRORS.test(error.code ?? '')))
    throw new StorageUnavailable(error)
  // Leaves out personal data, which PostgreSQL quotes in `detail` and in the messages of class 22
  // (bad data).
  const { code = '', message } = error
  const reason = code.startsWith('22') ? '' : `: ${message}`
  throw Object.assign(new Error(`PostgreSQL rejected a statement${reason}`), { code })
}
