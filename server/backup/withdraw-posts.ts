import type Sqlite from 'better-sqlite3'

const waiting = "kind = 'webhook' and state in ('queued', 'sending')"

/**
 * Gives up the waiting posts to LEAD_WEBHOOK_URL, because most have been sent since the backup. `leads resend --failed`
 * posts them again. Returns how many.
 */
export function withdrawPosts(restored: Sqlite.Database, now: Date): number {
  restored
    .prepare(
      `insert into outbox_attempts (outbox_id, at, outcome, smtp_code, response)
       select id, ?, 'failed', null, 'It may have been sent: a backup was restored in which it was still waiting.'
       from outbox where ${waiting} order by id`,
    )
    .run(now.toISOString())
  return restored.prepare(`update outbox set state = 'failed' where ${waiting}`).run().changes
}
