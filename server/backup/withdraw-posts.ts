import type Sqlite from 'better-sqlite3'

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
