import pg from 'pg'

/** Runs statements on a new connection. */
export async function runSql(url: string, ...statements: string[]) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Creates a database on the same server as `url`, as a copy of `template`. Returns the URL of the new database. */
export async function createDatabase(url: string, name: string, template = 'template1'): Promise<string> {
  await runSql(url, `create database ${name} template ${template}`)
  return atDatabase(url, name)
}

/** Drops a database, even if it's in use. */
export const dropDatabase = (url: string): Promise<void> =>
  runSql(atDatabase(url, 'postgres'), `drop database ${new URL(url).pathname.slice(1)} with (force)`)

export function atDatabase(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = name
  return address.href
}
