import type Sqlite from 'better-sqlite3'
import type { Database } from '../database/schema.ts'
import type { AnswerContent } from '../leads/answers/answer-lead.ts'
import { reopenLead } from '../leads/answers/answer-trouble.ts'

const UNSENT_ANSWER = 'Your answer may not have been sent: it was still unsent in the restored backup.'

/**
 * In a restored database, reopens the leads whose answer was still waiting to be sent when the
 * backup was made, as if it had failed for good. Returns the number of leads. The caller deletes
 * the answers' emails.
 */
export async function withdrawAnswers(restored: Database, now: Date): Promise<number> {
  const emails = await restored
    .selectFrom('outbox')
    .select(['lead_id', 'content'])
    .where('kind', '=', 'answer')
    .where('state', 'in', ['queued', 'sending'])
    .orderBy('id', 'desc')
    .execute()
  const byLead = Map.groupBy(emails, ({ lead_id }) => String(lead_id))
  for (const [leadId, ofLead] of byLead) {
    const answers = ofLead.flatMap(({ content }) => readAnswer(content))
    await reopenLead(restored, leadId, answers, UNSENT_ANSWER, now)
  }
  return byLead.size
}

/**
 * A damaged answer must not keep a backup from being restored: its lead is reopened without a
 * draft.
 */
function readAnswer(content: string | null): AnswerContent[] {
  try {
    return [JSON.parse(content ?? '')]
  } catch {
    return []
  }
}

/**
 * In a restored database, marks the unsent posts to LEAD_WEBHOOK_URL as failed: most have probably
 * been sent since the backup was taken. The owner can send them with `leads resend --failed`.
 * Returns the number of posts.
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
