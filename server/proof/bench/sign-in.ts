import { createHash, randomBytes } from 'node:crypto'
import { openExistingStorage, type StorageSettings } from '../../database/open-storage.ts'

export const OWNER = 'owner@plumbline.example'

/** Signs an owner in by storing a session. Returns the headers that the inbox sends with its requests. */
export async function signIn(settings: StorageSettings): Promise<Record<string, string>> {
  const token = randomBytes(32).toString('base64url')
  const id = createHash('sha256').update(token).digest('base64url')
  const db = await openExistingStorage(settings)
  if (!db) throw new Error('There is no database.')
  const at = new Date().toISOString()
  const session = { id, owner: OWNER, browser: 'bench', signed_in_at: at, seen_at: at }
  await db.insertInto('sessions').values(session).execute()
  await db.destroy()
  return { Cookie: `inbox-session=${token}`, 'Sec-Fetch-Site': 'same-origin' }
}
