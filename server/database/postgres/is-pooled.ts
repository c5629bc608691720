import pg from 'pg'

const CONNECT_MS = 3_000

/** Whether a pooler answers at this address: the process that greets is then not the one that runs a statement. */
export async function isPooled(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    // Known from the greeting; the types leave it out.
    return Object(client).processID !== rows[0]?.pid
  } finally {
    await client.end()
  }
}
