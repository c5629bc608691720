import pg from 'pg'

const CONNECT_MS = 3_000

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
