import type Sqlite from 'better-sqlite3'

const UNSENT_ANSWER = 'Your answer may not have been sent: it was still unsent in the restored backup.'

const waiting = "kind = 'answer' and state in ('queued', 'sending')"
const isSpam = "state = 'spam'"

/**
 * Reopens the leads whose answer was still waiting to be sent when the backup was made: each lead moves to the top of the list
 * and shows the reason, and the answer's text is a draft again. Spam stays spam. Returns the number of leads. The caller
 * deletes the answers' emails. Does what `handleFailedAnswer` does for one that has failed, but doesn't throw if the stored
 * answer is malformed.
 */
export function withdrawAnswers(restored: Sqlite.Database, now: Date): number {
  const parameters = { at: now.toISOString(), trouble: UNSENT_ANSWER }
  restored
    .prepare(
      `insert or ignore into lead_drafts (lead_id, owner, text, updated_at)
       select lead_id, content ->> '$.owner', content ->> '$.text', @at from outbox
       where ${waiting} and json_type(content, '$.owner') = 'text' and json_type(content, '$.text') = 'text'
       order by id desc`,
    )
    .run(parameters)
  restored
    .prepare(
      `insert into lead_events (lead_id, at, who, what, from_value, to_value, text)
       select id, @at, 'server', 'answer_failed', state, iif(${isSpam}, state, 'open'), @trouble from leads
       where id in (select lead_id from outbox where ${waiting})`,
    )
    .run(parameters)
  return restored
    .prepare(
      `update leads set
         state = iif(${isSpam}, state, 'open'),
         follow_up_on = iif(${isSpam}, follow_up_on, null),
         answered_at = iif(not ${isSpam} and answered_at in
           (select content ->> '$.at' from outbox where lead_id = leads.id and ${waiting}), null, answered_at),
         sort_key = iif(${isSpam}, @at, '0' || @at),
         trouble = @trouble,
         version = version + 1
       where id in (select lead_id from outbox where ${waiting})`,
    )
    .run(parameters).changes
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
