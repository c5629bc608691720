import type Sqlite from 'better-sqlite3'
import type { Database } from '../database/schema.ts'

/** Reopens a lead after an answer has failed: see answer-trouble.ts. */
export type ReopenLead = (
  db: Database,
  leadId: string,
  answer: { owner: string; text: string; at: string },
  trouble: string,
  at: Date,
) => Promise<void>

const UNSENT_ANSWER = 'Your answer may not have been sent: it was still unsent in the restored backup.'

/**
 * Treats the answers that were still waiting to be sent when the backup was made as failed. Returns the number of
 * leads. The caller deletes the answers' emails.
 */
export async function withdrawAnswers(restored: Database, now: Date, reopenLead: ReopenLead) {
  const waiting = await restored
    .selectFrom('outbox')
    .select(['lead_id', 'content'])
    .where('kind', '=', 'answer')
    .where('state', 'in', ['queued', 'sending'])
    // The newest first, because its text becomes the draft.
    .orderBy('id', 'desc')
    .execute()
  for (const { lead_id, content } of waiting)
    await reopenLead(restored, String(lead_id), JSON.parse(String(content)), UNSENT_ANSWER, now)
  return new Set(waiting.map(({ lead_id }) => lead_id)).size
}

/**
 * In a restored database, marks the unsent posts to LEAD_WEBHOOK_URL as failed: most have probably been sent since the
 * backup was taken. The owner can send them with `leads resend --failed`. Returns the number of posts.
 */
export const withdrawPosts = (restored: Sqlite.Database, now: Date): number =>
  restored.transaction(() => {
    const posts = restored
      .prepare(
        "update outbox set state = 'failed' where kind = 'webhook' and state in ('queued', 'sending') returning id",
      )
      .pluck()
      .all()
    const log = restored.prepare(
      `insert into outbox_attempts (outbox_id, at, outcome, smtp_code, response)
       values (?, ?, 'failed', null, 'Unsent in the restored backup, but may have been sent since then.')`,
    )
    for (const id of posts) log.run(id, now.toISOString())
    return posts.length
  })()
