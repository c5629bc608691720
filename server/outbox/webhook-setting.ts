import type { Database } from '../database/schema.ts'
import { readNote, writeNote } from '../database/settings.ts'

/**
 * Records in the database whether LEAD_WEBHOOK_URL is set. If it isn't, posts (leads to send to that URL) stay queued, and
 * this isn't reported as a problem.
 */
export async function recordWebhook(db: Database, isSet: boolean): Promise<void> {
  if ((await isWebhookSet(db)) !== isSet) await writeNote(db, 'webhook_set', isSet)
}

/** Whether LEAD_WEBHOOK_URL was set when the server last started. */
export const isWebhookSet = async (db: Database): Promise<boolean> =>
  (await readNote<boolean>(db, 'webhook_set')) === true
