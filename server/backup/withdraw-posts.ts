import type Sqlite from 'better-sqlite3'

/**
 * Gives up on the waiting posts to LEAD_WEBHOOK_URL, because most have probably been sent since the backup.
 * The owner can post them again with `leads resend --failed`. Returns the number of posts.
 */
export function withdrawPosts(restored: Sqlite.Database, now: Date): number {
  const posts = restored
    .prepare(
      "update outbox set state = 'failed' where kind = 'webhook' and state in ('queued', 'sending') returning id",
    )
    .pluck()
    .all()
  if (posts.length === 0) return 0
  const log = restored.prepare(
    `insert into outbox_attempts (outbox_id, at, outcome, smtp_code, response)
     values (?, ?, 'failed', null, 'It may have been sent: it was still waiting in the backup that was restored.')`,
  )
  restored.transaction(() => {
    for (const id of posts) log.run(id, now.toISOString())
  })()
  return posts.length
}
