import { basename } from 'node:path'
import { type Erasure, readNote, writeNote } from '../database/notes.ts'
import type { Database } from '../database/schema.ts'
import { backupTime } from '../files/backup-list.ts'
import type { AnswerContent } from '../leads/answers/answer-lead.ts'
import { reopenLead } from '../leads/answers/answer-trouble.ts'
import { eraseAgain, writeErasures } from '../leads/erase/erasures.ts'

const UNSENT_ANSWER = 'Your answer may not have been sent: it was still unsent in the restored backup.'
const UNSENT_POST = 'Unsent in the restored backup, but may have been sent since then.'

const unsent = ['queued', 'sending'] as const

export type Removed = Awaited<ReturnType<typeof removeOutdated>>

/** `file`: the path of the backup. `erasures`: the records of people that are next to backups. */
type Restored = { file: string; erasures: readonly Erasure[]; now: Date }

/**
 * Removes from a restored database what is out of date, and people who were erased since the backup
 * was made. Of the unsent emails, only those stay that tell owners about new leads.
 */
export async function removeOutdated(restored: Database, { file, erasures, now }: Restored) {
  const withdrawnAnswers = await withdrawAnswers(restored, now)
  const withdrawnPosts = await withdrawPosts(restored, now)
  // Below, unsent reminders are deleted. So owners are reminded again of whatever is still due.
  await restored
    .updateTable('leads')
    .set({ reminded_of: null })
    .where('reminded_of', 'is not', null)
    .execute()
  await restored
    .deleteFrom('outbox')
    .where('state', 'in', unsent)
    .where('kind', 'not in', ['owner_notice', 'notice_list'])
    .execute()
  // The morning email of today may have been sent since the backup, so none comes today.
  await restored.deleteFrom('settings').where('name', '=', 'morning_days').execute()
  // Otherwise, sessions and passkeys that an owner has ended or removed since would work again.
  for (const table of ['sessions', 'sign_ins', 'passkeys', 'passkey_challenges'] as const)
    await restored.deleteFrom(table).execute()
  const backupAt = backupTime(basename(file))?.toISOString() ?? null
  await writeNote(restored, 'restored_backup', { backupAt })
  const all = [...erasures, ...((await readNote(restored, 'erasures')) ?? [])]
  const erasedAgain = await eraseAgain(restored, all)
  await writeErasures(restored, all)
  return { withdrawnAnswers, withdrawnPosts, erasedAgain }
}

/**
 * Reopens the leads whose answer was still waiting to be sent, as if it had failed for good.
 * Returns the number of leads.
 */
async function withdrawAnswers(restored: Database, now: Date): Promise<number> {
  const emails = await restored
    .selectFrom('outbox')
    .select(['lead_id', 'content'])
    .where('kind', '=', 'answer')
    .where('state', 'in', unsent)
    .orderBy('id', 'desc')
    .execute()
  const byLead = Map.groupBy(emails, ({ lead_id }) => String(lead_id))
  for (const [leadId, ofLead] of byLead) {
    const answers = ofLead.flatMap(({ content }) => readAnswer(content))
    await reopenLead(restored, leadId, answers, { reason: UNSENT_ANSWER, at: now })
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
 * Marks the unsent posts to LEAD_WEBHOOK_URL as failed: most have probably been sent since the
 * backup was made. The owner can send them with `leads resend --failed`. Returns the number of
 * posts.
 */
async function withdrawPosts(restored: Database, now: Date): Promise<number> {
  const posts = await restored
    .updateTable('outbox')
    .set({ state: 'failed' })
    .where('kind', '=', 'webhook')
    .where('state', 'in', unsent)
    .returning('id')
    .execute()
  const attempt = {
    at: now.toISOString(),
    outcome: 'failed' as const,
    smtp_code: null,
    response: UNSENT_POST,
  }
  for (const { id } of posts)
    await restored
      .insertInto('outbox_attempts')
      .values({ ...attempt, outbox_id: id })
      .execute()
  return posts.length
}
