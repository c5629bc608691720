import { sql } from 'kysely'
import { lockNames } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { readNote, writeNote } from '../database/settings.ts'
import { domainOf, type MailAddress } from '../mail/mailer.ts'
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

  async function isDue(at: Date): Promise<boolean> {
    const [oldest] = await db
      .selectFrom('leads')
      .select('created_at')
      .where('awaits_list', '=', 1)
      .orderBy('id')
      .limit(1)
      .execute()
    if (!oldest) return false
    const age = at.getTime() - Date.parse((await readNote<string>(db, 'notice_list_at')) ?? '')
    const waited = at.getTime() - Date.parse(oldest.created_at)
    // A time from the future comes from a wrong clock.
    return !(age >= 0 && age < budget.listEveryMs) && !(waited >= 0 && waited < GATHER_MS)
  }

  return async function listNotices(): Promise<void> {
    if (!(await isDue(now()))) return
    const isQueued = await db.transaction().execute(async (transaction) => {
      // If this replica froze for minutes, another one may be running this job.
      await lockNames(transaction, ['notice list'])
      const at = now()
      const leads = await selectAwaiting(transaction).execute()
      if (leads.length === 0) return false
      const content: NoticeListContent = {
        at: at.toISOString(),
        references: leads.map(({ reference }) => reference),
      }
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

/**
 * The leads for the next list. First come those whose networks have sent the fewest in a day, because a stranger's flood must
 * not hide them. Those whose networks are no longer known follow: an earlier email named them. Suspected spam comes last.
 */
function selectAwaiting(db: Database) {
  const counts = db
    .selectFrom('leads')
    .select(({ fn }) => ['client', fn.countAll<number>().as('sent')])
    .where('client', 'is not', null)
    .groupBy('client')
    .as('counts')
  return db
    .selectFrom('leads')
    .leftJoin(counts, 'counts.client', 'leads.client')
    .select(['leads.id', 'reference'])
    .where('awaits_list', '=', 1)
    .orderBy(sql`spam_score >= ${SUSPECT_FROM}`)
    .orderBy(sql`sent is null`)
    .orderBy('sent')
    .orderBy('leads.id')
    .limit(MAX_LISTED)
}

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
