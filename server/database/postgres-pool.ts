import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { StorageUnavailable } from './storage-error.ts'

// PostgreSQL allows 100 connections by default (max_connections), enough for eight replicas and an administrator.
const MAX_CONNECTIONS = { visitor: 10, owner: 2, operator: 10 }
// The page gives up after 10 s, so connecting and running a statement must take less in total.
const CONNECT_MS = 3_000
const STATEMENT_MS = 5_000
// Applies only if the network drops packets. Otherwise, PostgreSQL cancels the statement first.
const QUERY_MS = 6_000
// Releases the locks of a replica that disappears during a transaction.
const IDLE_IN_TRANSACTION_MS = 10_000

const INT8 = 20
const JSON_TEXT = 114

/** Who runs the queries. Those for visitors and for the owner's inbox time out; those of an operator's commands don't. */
export type Audience = keyof typeof MAX_CONNECTIONS

/**
 * Creates a connection pool for Kysely, which connects on first use. Its errors are `StorageUnavailable`, unless a statement
 * or its data is invalid.
 */
export function createPool(url: string, audience: Audience): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'website',
    max: MAX_CONNECTIONS[audience],
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...(audience !== 'operator' && {
      statement_timeout: STATEMENT_MS,
      query_timeout: QUERY_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    }),
    types: {
      // Our bigints are far below 2^53, so a number holds them exactly. JSON stays text.
      getTypeParser(type: number, format?: 'text' | 'binary') {
        if (type === INT8) return Number
        if (type === JSON_TEXT) return String
        return pg.types.getTypeParser(type, format as 'text')
      },
    },
    // A statement, because a pooler may reject startup options.
    onConnect: (client) => client.query(sessionSettings),
  })
  // Without these listeners, a lost connection would crash the process. The next query reports the loss.
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
 * - `read committed`: after waiting for a lock (`lockNames`), a transaction must see what the previous holder wrote.
 * - `synchronous_commit`: commits must be on disk. Keeps stricter settings, such as waiting for a standby.
 * - `tcp_*`: if a machine disappears, PostgreSQL must release its locks within half a minute, not hours. Keeps values from
 *   the URL.
 */
const sessionSettings = `
  select set_config(name, wanted, false)
  from pg_settings join (values
    ('default_transaction_isolation', 'read committed'),
    ('synchronous_commit', 'on'),
    ('tcp_keepalives_idle', '10'),
    ('tcp_keepalives_interval', '5'),
    ('tcp_keepalives_count', '3'),
    ('tcp_user_timeout', '25000')
  ) as ours (name, wanted) using (name)
  where case name
    when 'default_transaction_isolation' then true
    when 'synchronous_commit' then setting = 'off'
    else source <> 'client'
  end`

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
  if (error instanceof pg.DatabaseError && STATEMENT_ERRORS.test(error.code ?? '')) throw withoutData(error)
  throw new StorageUnavailable(error)
}

/** Keeps personal data out of the log: PostgreSQL quotes it in `detail` and in the messages of class 22 (bad data). */
function withoutData({ code = '', message, stack }: pg.DatabaseError): Error {
  const reason = code.startsWith('22') ? '' : `: ${message}`
  return Object.assign(new Error(`PostgreSQL rejected a statement${reason}`), { code, stack })
}

/** Detects a connection pooler: the process id in its greeting differs from that of the PostgreSQL process behind it. */
export async function isPooled(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    // `processID` is from the greeting. The types of `pg` omit it.
    return Object(client).processID !== rows[0]?.pid
  } finally {
    await client.end()
  }
}
