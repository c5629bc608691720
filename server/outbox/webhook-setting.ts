import type { Database } from '../database/schema.ts'
import { readNote, writeNote } from '../database/settings.ts'

/** Records whether LEAD_WEBHOOK_URL is set. If it isn't, waiting posts are not reported as a problem. */
export async function recordWebhook(db: Database, isSet: boolean): Promise<void> {
  if ((await isWebhookSet(db)) !== isSet) await writeNote(db, 'webhook_set', isSet)
}

/** Whether the server runs with LEAD_WEBHOOK_URL. */
export const isWebhookSet = async (db: Database): Promise<boolean> =>
  (await readNote<boolean>(db, 'webhook_set')) === true
