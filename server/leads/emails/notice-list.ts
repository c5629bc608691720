import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { readNote, writeNote } from '../../database/notes.ts'
import type { Database } from '../../database/schema.ts'
import { domainOf, enqueue, type NewEmail } from '../../outbox/email.ts'
import { isSuspect } from '../../spam/spam-score.ts'
import { LIST_EVERY_MS } from './mail-budget.ts'
import { allNoticeAddresses, noticeAddresses } from './notice-addresses.ts'

/**
 * A longer list would be too large for an email, and nobody would read it. The others are in the
 * next list.
 */
export const MAX_NAMED = 1_000

/**
 * The references of the leads that a list names. Names are read when it is sent, so the database
 * doesn't have them twice.
 */
export type NoticeListContent = { at: string; references: string[] }

type Deps = Pick<Context, 'db' | 'write' | 'now' | 'env'>

/**
 * Creates a function, to be called every minute, that tells the owners about the leads with a
 * request or a reply that got no notice: one email names them all.
 */
export function createNoticeLists({ db, write, now, env }: Deps) {
  return async function listNotices(): Promise<void> {
    // Without this, the transaction would take the database's only write lock every minute.
    if (!(await isAnyAwaiting(db))) return
    await write(async (transaction) => {
      const at = now()
      const lastAt = await readNote(transaction, 'notice_list_at')
      const age = at.getTime() - Date.parse(lastAt ?? '')
      // A time from the future comes from a wrong clock.
      if (age >= 0 && age < LIST_EVERY_MS) return

      const leads = await selectAwaiting(transaction)
      // They may just have been erased.
      if (leads.length === 0) return
      const emails = allNoticeAddresses(env).flatMap((recipient, index): NewEmail[] => {
        const listed = leads.filter((lead) => noticeAddresses(env, lead).includes(recipient))
        if (listed.length === 0) return []
        const content: NoticeListContent = { at: at.toISOString(), references: referencesOf(listed) }
        const messageId = `<list-${at.getTime()}.${index}@${domainOf(env.MAIL_FROM)}>`
        return [{ kind: 'notice_list', recipient, messageId, content: JSON.stringify(content) }]
      })
      await enqueue(transaction, emails, at)
      await transaction
        .updateTable('leads')
        .set({ awaits_list: 0, listed_at: at.toISOString() })
        .where('reference', 'in', referencesOf(leads))
        .execute()
      await writeNote(transaction, 'notice_list_at', at.toISOString())
    })
  }
}

const referencesOf = (leads: readonly { reference: string }[]) => leads.map(({ reference }) => reference)

const awaiting = (db: Database) => db.selectFrom('leads').where('awaits_list', '=', 1)

const isAnyAwaiting = async (db: Database) =>
  (await awaiting(db).select('id').limit(1).executeTakeFirst()) !== undefined

/**
 * The leads for the next list. If there are too many, each network has one of its leads named
 * before any has two, and whoever no list has named yet comes first, then whoever one has named
 * longest ago. So a flood hides nobody: neither one of requests nor one of messages about leads so
 * old that their networks are forgotten. Nothing else counts, because strangers can forge an
 * owner's answer to a lead of theirs. For the reader, the list begins with answered leads, and
 * suspected spam comes last.
 */
async function selectAwaiting(db: Database) {
  const leads = await db
    .with('ranked', () =>
      awaiting(db)
        .select(['id', 'reference', 'budget', 'client', 'answered_at', 'spam_score'])
        .select(sql<string>`coalesce(listed_at, '')`.as('listed'))
        .select(
          sql<number>`case when client is null then 1 else row_number() over
            (partition by client order by coalesce(listed_at, ''), id) end`.as('place'),
        ),
    )
    .selectFrom('ranked')
    .select(['reference', 'budget', 'answered_at', 'spam_score'])
    .orderBy('place')
    .orderBy('listed')
    .orderBy(sql`client is null`)
    .orderBy('id')
    .limit(MAX_NAMED)
    .execute()
  const rank = ({ answered_at, spam_score }: (typeof leads)[number]) =>
    answered_at !== null ? 0 : isSuspect(spam_score) ? 2 : 1
  return leads.toSorted((one, other) => rank(one) - rank(other))
}
