import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { RestoredBackup } from '../../backup/restored-backup.ts'
import type { Database } from '../../database/schema.ts'
import { domainOf, type MailAddress } from '../../mail/mailer.ts'
import { enqueue } from '../../outbox/enqueue.ts'
import type { InboxDeps } from '../inbox-deps.ts'
import type { SignInNews } from './sign-in-email.ts'

const DAY_MS = 24 * 60 * 60 * 1000
// The mail server may have to be set up again, too.
const RESTORE_NEWS_LASTS_MS = 30 * DAY_MS

type News = SignInNews extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'at' | 'endsAt'>
    : never
  : never
type Letter = { owner: string; news: News; mailFrom: MailAddress; endsAt?: Date }

/** Queues an email about signing in, within the caller's transaction. Without `endsAt`, the email expires after a day. */
export async function queueSignInEmail(
  transaction: Database,
  { owner, news, mailFrom, endsAt }: Letter,
  now: Date,
): Promise<void> {
  const content = {
    ...news,
    at: now.toISOString(),
    endsAt: (endsAt ?? new Date(now.getTime() + DAY_MS)).toISOString(),
  }
  const email = {
    kind: 'sign_in' as const,
    recipient: owner,
    messageId: `<sign-in-${randomUUID()}@${domainOf(mailFrom)}>`,
    content: JSON.stringify(content),
  }
  await enqueue(transaction, [email], now)
}

/** Deletes expired sign-in emails that are still queued (perhaps SMTP_URL is missing), because they may contain codes. */
export async function forgetUnsent(transaction: Database, now: Date): Promise<void> {
  await transaction
    .deleteFrom('outbox')
    // This must match the condition of the index `outbox_sign_ins`, or SQLite won't use it.
    .where(sql<boolean>`kind = 'sign_in'`)
    .where('state', '=', 'queued')
    .where(sql<boolean>`content ->> 'endsAt' < ${now.toISOString()}`)
    .execute()
}

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
    const endsAt = new Date(now().getTime() + RESTORE_NEWS_LASTS_MS)
    for (const owner of mailTo) await queueSignInEmail(transaction, { owner, news, mailFrom, endsAt }, now())
  })
}
