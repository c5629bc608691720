import pg from 'pg'

const CONNECT_MS = 3_000

/** Detects a connection pooler: its greeting has another process id than the one that runs a statement. */
export async function isPooled(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    // From the greeting. The types omit it.
    return Object(client).processID !== rows[0]?.pid
  } finally {
    await client.end()
  }
}
