import pg from 'pg'

/** Runs statements in a connection of their own. */
export async function runSql(url: string, ...statements: string[]) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Makes a database on the server of `url`, empty or like another one, and returns its address. */
export async function createDatabase(url: string, name: string, template = 'template1'): Promise<string> {
  await runSql(url, `create database ${name} template ${template}`)
  return atDatabase(url, name)
}

/** Removes a database, whoever uses it. */
export const dropDatabase = (url: string): Promise<void> =>
  runSql(atDatabase(url, 'postgres'), `drop database ${new URL(url).pathname.slice(1)} with (force)`)

export function atDatabase(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = name
  return address.href
}
