import { sql } from 'kysely'
import { lockNames } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { readNote, writeNote } from '../database/settings.ts'
import type { MailAddress } from '../mail/mailer.ts'
import { domainOf } from '../outbox/email.ts'
import { enqueue } from '../outbox/enqueue.ts'
import { type Lead, toLead } from './lead-store.ts'
import type { MailBudget } from './mail-budget.ts'
import { SUSPECT_FROM } from './spam-score.ts'

// Lets the rest of a burst arrive, so that one list has all of it.
const GATHER_MS = 2 * 60_000
// A longer list would be too large for an email, and nobody would read it. The others are in the next list.
const MAX_LISTED = 1_000

/** The references of the leads that a list names. Names are read when it is sent, so the database doesn't have them twice. */
export type NoticeListContent = { at: string; references: string[] }

type Deps = {
  db: Database
  mailFrom: MailAddress
  mailTo: readonly string[]
  budget: Pick<MailBudget, 'listEveryMs'>
  now: () => Date
  onQueued: () => void
}

/**
 * Creates a function, to be called every minute, that tells the owners about the leads for which the mail budget had no room:
 * one email names them all.
 */
export function createNoticeLists({ db, mailFrom, mailTo, budget, now, onQueued }: Deps) {
  const domain = domainOf(mailFrom)

  return async function listNotices(): Promise<void> {
    // Without this, the transaction would take the database's only write lock every minute.
    if (!(await selectAwaiting(db).limit(1).executeTakeFirst())) return
    const isQueued = await db.transaction().execute(async (transaction) => {
      // Other replicas run this job, too.
      await lockNames(transaction, ['notice list'])
      const at = now()
      const leads = await selectAwaiting(transaction).execute()
      const isRecent = (time: string, withinMs: number) => {
        const age = at.getTime() - Date.parse(time)
        // A time from the future comes from a wrong clock.
        return age >= 0 && age < withinMs
      }
      if (leads.every(({ created_at }) => isRecent(created_at, GATHER_MS))) return false
      const lastAt = await readNote<string>(transaction, 'notice_list_at')
      if (lastAt && isRecent(lastAt, budget.listEveryMs)) return false

      const references = leads.map(({ reference }) => reference)
      const content: NoticeListContent = { at: at.toISOString(), references }
      const emails = mailTo.map((recipient, index) => ({
        kind: 'notice_list' as const,
        recipient,
        messageId: `<list-${at.getTime()}.${index}@${domain}>`,
        content: JSON.stringify(content),
      }))
      await enqueue(transaction, emails, at)
      const ids = leads.map(({ id }) => id)
      await transaction.updateTable('leads').set({ awaits_list: 0 }).where('id', 'in', ids).execute()
      await writeNote(transaction, 'notice_list_at', at.toISOString())
      return true
    })
    if (isQueued) onQueued()
  }
}

// How many leads in a day the network of a lead has sent.
const sentByNetwork = sql`(select count(*) from leads as others where others.client = leads.client)`

/**
 * The leads for the next list. First come those whose networks have sent the fewest, because a stranger's flood must not hide
 * them. Suspected spam comes last.
 */
const selectAwaiting = (db: Database) =>
  db
    .selectFrom('leads')
    .select(['id', 'reference', 'created_at'])
    .where('awaits_list', '=', 1)
    .orderBy(sql`spam_score >= ${SUSPECT_FROM}`)
    .orderBy(sentByNetwork)
    .orderBy('id')
    .limit(MAX_LISTED)

/** The leads of a list that are still open, in its order. */
export async function readListed(db: Database, { references }: NoticeListContent): Promise<Lead[]> {
  const rows = await db
    .selectFrom('leads')
    .selectAll()
    .where('reference', 'in', references)
    .where('state', '=', 'open')
    .execute()
  const leads = new Map(rows.map((row) => [row.reference, toLead(row)]))
  return references.flatMap((reference) => leads.get(reference) ?? [])
}
