import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { StorageUnavailable } from '../storage-error.ts'
import { setUpSession } from './set-up-session.ts'

// PostgreSQL lets 100 in by default (max_connections): nine copies, and room for an administrator.
const MOST_CONNECTIONS = 10
// The page gives up an attempt after 10 s. Together these stay below that, so that the visitor hears of it.
const CONNECT_MS = 3_000
const STATEMENT_MS = 5_000
// For a network that swallows everything: the server would have ended the statement before.
const ANSWER_MS = 6_000
// A copy that vanishes in the middle of a transaction holds its locks no longer than that.
const IDLE_IN_TRANSACTION_MS = 10_000

const INT8 = 20
const JSON_TEXT = 114

/** How long a statement may take: that of a visitor who waits, or as long as it needs. */
export type Patience = 'visitor' | 'operator'

/** A pool as Kysely wants it, whose errors say whether the database was there. Connects when it is first asked. */
export function createPool(url: string, patience: Patience): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'plumbline',
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...(patience === 'visitor' && {
      statement_timeout: STATEMENT_MS,
      query_timeout: ANSWER_MS,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    }),
    types: { getTypeParser },
    onConnect: setUpSession,
  })
  // A lost connection is an error of the query that meets it; here it would end the program.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      try {
        return toKyselyClient(await pool.connect())
      } catch (error) {
        // Also where the address cannot be read, or a file that it names.
        return rethrow(error)
      }
    },
  }
}

function toKyselyClient(client: pg.PoolClient): PostgresPoolClient {
  // Without an answer of the server nobody knows what the connection will bring next.
  let breakage: unknown
  async function query(text: string, parameters: readonly unknown[]) {
    // Such as the rollback, which would be waited for as long again.
    if (breakage !== undefined) return rethrow(breakage)
    try {
      return await client.query(text, [...parameters])
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) breakage = error
      return rethrow(error)
    }
  }
  return {
    // Kysely asks by cursor only where it was given one.
    query: query as unknown as PostgresPoolClient['query'],
    release: (isDiscarded = false) => client.release(isDiscarded || breakage !== undefined),
  }
}

// Counts are far below 2^53; JSON is read as the text that was stored.
const getTypeParser: typeof pg.types.getTypeParser = (type: number, format?: 'text' | 'binary') => {
  if (type === INT8) return Number
  if (type === JSON_TEXT) return String
  return pg.types.getTypeParser(type, format as 'text')
}

// Classes of SQLSTATE for what is wrong with the statement or its data: asking again does not help.
const OUR_MISTAKES = /^(21|22|23|26|34|42)/

function rethrow(error: unknown): never {
  if (error instanceof pg.DatabaseError && OUR_MISTAKES.test(error.code ?? '')) throw withoutData(error)
  throw new StorageUnavailable(error)
}

/** The log gets the whole error, and PostgreSQL quotes what somebody wrote in `detail`, and in messages of class 22. */
function withoutData({ code = '', message, stack }: pg.DatabaseError): Error {
  const reason = code.startsWith('22') ? '' : `: ${message}`
  return Object.assign(new Error(`PostgreSQL refused a statement${reason}`), { code, stack })
}
