import type { Database } from '../database/schema.ts'
import { readNote, writeNote } from '../database/settings.ts'

/** Records whether LEAD_WEBHOOK_URL is set: if it no longer is, nobody needs to know that posts are waiting for it. */
export async function recordWebhook(db: Database, isSet: boolean): Promise<void> {
  if ((await isWebhookSet(db)) !== isSet) await writeNote(db, 'webhook_set', isSet)
}

/** Whether the server runs with LEAD_WEBHOOK_URL. */
export const isWebhookSet = async (db: Database): Promise<boolean> =>
  (await readNote<boolean>(db, 'webhook_set')) === true
