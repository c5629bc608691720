import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { StorageUnavailable } from '../storage-error.ts'
import { setUpSession } from './set-up-session.ts'

// PostgreSQL allows 100 by default (max_connections): nine replicas, and room for an administrator.
const MAX_CONNECTIONS = 10
// The page gives up after 10 s. Connecting plus a query must take less, so that the visitor gets a response.
const CONNECT_MS = 3_000
const STATEMENT_MS = 5_000
// For a network that drops packets: otherwise PostgreSQL ends the statement first.
const QUERY_MS = 6_000
// Frees the locks of a replica that vanishes in the middle of a transaction.
const IDLE_IN_TRANSACTION_MS = 10_000

const INT8 = 20
const JSON_TEXT = 114

/** Whom a query serves: it times out for a waiting visitor, but not for an operator. */
export type Audience = 'visitor' | 'operator'

/** A pool for Kysely that throws `StorageUnavailable` unless the statement is at fault. Connects on first use. */
export function createPool(url: string, audience: Audience): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'plumbline',
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...(audience === 'visitor' && {
      statement_timeout: STATEMENT_MS,
      query_timeout: QUERY_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    }),
    types: { getTypeParser },
    onConnect: setUpSession,
  })
  // The next query reports a lost connection. Without these listeners, it would crash the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      try {
        return toKyselyClient(await pool.connect())
      } catch (error) {
        // Also for an invalid URL, or an unreadable file it names.
        return rethrow(error)
      }
    },
  }
}

function toKyselyClient(client: pg.PoolClient): PostgresPoolClient {
  // After a query without a response, the state of the connection is unknown: never use it again.
  let breakage: unknown
  async function query(text: string, parameters: readonly unknown[]) {
    // Otherwise the rollback would time out, too.
    if (breakage !== undefined) return rethrow(breakage)
    try {
      return await client.query(text, [...parameters])
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) breakage = error
      return rethrow(error)
    }
  }
  return {
    // Kysely calls it with a cursor only if configured with one.
    query: query as unknown as PostgresPoolClient['query'],
    release: (isDiscarded = false) => client.release(isDiscarded || breakage !== undefined),
  }
}

// Counts are far below 2^53. JSON stays the stored text.
const getTypeParser: typeof pg.types.getTypeParser = (type: number, format?: 'text' | 'binary') => {
  if (type === INT8) return Number
  if (type === JSON_TEXT) return String
  return pg.types.getTypeParser(type, format as 'text')
}

// SQLSTATE classes for a bad statement or bad data: retrying doesn't help.
const STATEMENT_ERRORS = /^(21|22|23|26|34|42)/

function rethrow(error: unknown): never {
  if (error instanceof pg.DatabaseError && STATEMENT_ERRORS.test(error.code ?? '')) throw withoutData(error)
  throw new StorageUnavailable(error)
}

/** Errors are logged, and PostgreSQL quotes personal data in `detail` and in messages of class 22. */
function withoutData({ code = '', message, stack }: pg.DatabaseError): Error {
  const reason = code.startsWith('22') ? '' : `: ${message}`
  return Object.assign(new Error(`PostgreSQL rejected a statement${reason}`), { code, stack })
}
