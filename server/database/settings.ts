import type { Database } from './schema.ts'

export type Keys = { clientHash: string; formToken: string }

/** Reads the secret keys that the first migration creates. */
export async function readKeys(db: Database): Promise<Keys> {
  const read = async (name: string) => {
    const key = db.selectFrom('settings').select('value').where('name', '=', name)
    return (await key.executeTakeFirstOrThrow()).value
  }
  return { clientHash: await read('client_hash_key'), formToken: await read('form_token_key') }
}

/** Reads a note: JSON that the server keeps between runs. */
export async function readNote<Value>(db: Database, name: string): Promise<Value | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row && JSON.parse(row.value)
}

/** Reads the notes whose names begin like this. */
export async function readNotes<Value>(
  db: Database,
  prefix: string,
): Promise<{ name: string; content: Value }[]> {
  const rows = await db.selectFrom('settings').select(['name', 'value']).orderBy('name').execute()
  return rows
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name, value }) => ({ name, content: JSON.parse(value) }))
}

export function writeNote(db: Database, name: string, content: unknown) {
  const value = JSON.stringify(content)
  return db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
