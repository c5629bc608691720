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

export function writeNote(db: Database, name: string, content: unknown) {
  const value = JSON.stringify(content)
  return db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
