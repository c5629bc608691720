import type { Database } from './schema.ts'

/** A fact of this installation that a migration has laid down. */
export async function readSetting(db: Database, name: 'client_hash_key' | 'form_token_key'): Promise<string> {
  const { value } = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return value
}
