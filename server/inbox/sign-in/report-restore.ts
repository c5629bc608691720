import type { RestoredBackup } from '../../backup/restored-backup.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import { queueSignInEmail } from './queue-sign-in-email.ts'

// The mail server may have to be set up again, too.
const LASTS_MS = 30 * 24 * 60 * 60 * 1000

/**
 * If the data was restored from a backup, tells every owner, once. The restore has left a note, which this deletes in the
 * transaction that queues the emails.
 */
export async function reportRestore({ db, mailFrom, mailTo, now }: InboxDeps): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const note = await transaction
      .deleteFrom('settings')
      .where('name', '=', 'restored_backup')
      .returning('value')
      .executeTakeFirst()
    if (!note) return
    const news = { what: 'restored' as const, ...(JSON.parse(note.value) as RestoredBackup) }
    const endsAt = new Date(now().getTime() + LASTS_MS)
    for (const owner of mailTo) await queueSignInEmail(transaction, { owner, news, mailFrom, endsAt }, now())
  })
}
