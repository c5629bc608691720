import { sql } from 'kysely'
import { officeDay, openingOn } from '#shared/office-time.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import type { Context } from '../context.ts'
import { readNote } from '../database/notes.ts'
import type { Database } from '../database/schema.ts'
import { hasComeSince } from '../leads/lists/sort-key.ts'
import type { Envelope, Message, Sender } from '../mail/mailer.ts'
import { enqueue, toEachOwner } from '../outbox/email.ts'
import type { MorningContent } from './morning-email.ts'
import { emailAbout, type Reminded } from './reminder-email.ts'

// What is older is in a morning email, or will be in the next one.
const MAX_AGE_MS = 24 * 60 * 60_000

/** `at`: the time of the follow-up. */
export type FollowUpContent = { at: string }

/**
 * Creates a function, to be called every minute, that tells all owners when the time of a follow-up
 * has come, unless the morning email has named it.
 */
export function createFollowUps({ db, write, now, env }: Context) {
  return async function tellOfFollowUps(): Promise<void> {
    const at = now()
    const day = officeDay(at)
    // The morning email comes first.
    if (at >= openingOn(day) && !(await readNote(db, 'morning_days'))?.includes(day)) return
    const since = new Date(at.getTime() - MAX_AGE_MS).toISOString()
    const leads = await db
      .selectFrom('leads')
      .select(['id', 'follow_up_at'])
      .where('list', '=', 'open')
      .where(hasComeSince(since, at))
      .execute()
    const named = leads.length > 0 ? await namedUpTo(db, at.toISOString()) : ''
    for (const { id, follow_up_at } of leads) {
      const time = String(follow_up_at)
      if (time <= named) continue
      const content: FollowUpContent = { at: time }
      const name = `${id}-follow-up-${Date.parse(time)}`
      const email = { leadId: id, kind: 'follow_up' as const, content: JSON.stringify(content) }
      const known = await db
        .selectFrom('outbox')
        .select('id')
        .where('message_id', 'like', `<${name}.%`)
        .where('lead_id', '=', id)
        .executeTakeFirst()
      if (known) continue
      await write((transaction) => enqueue(transaction, toEachOwner(env, name, email), at))
    }
  }
}

/** The morning email has named the follow-ups that had come by then. */
async function namedUpTo(db: Database, now: string): Promise<string> {
  const emails = db.selectFrom('outbox').select('content').where('kind', '=', 'morning')
  // On days off, it names nobody.
  const lists = emails.where(sql`cast(content as text)`, 'like', '%"hasLists":true%')
  const last = await lists.orderBy('id', 'desc').limit(1).executeTakeFirst()
  const { at = '' }: Partial<MorningContent> = JSON.parse(last?.content ?? '{}')
  return at <= now ? at : ''
}

/** Whether a lead still has the follow-up that an email is about. */
export async function hasFollowUpAt(db: Database, leadId: string, { at }: FollowUpContent): Promise<boolean> {
  const lead = db.selectFrom('leads').select('id').where('id', '=', leadId).where('state', '<>', 'spam')
  return (await lead.where('follow_up_at', '=', at).executeTakeFirst()) !== undefined
}

/**
 * Tells an owner that the time of a follow-up has come. A reply may quote it: so an owner's note
 * isn't in it.
 */
export function followUpEmail(
  reminded: Reminded,
  { at }: FollowUpContent,
  email: Envelope & { queuedAt: string },
  sender: Sender,
): Message {
  const title = `Follow-up of ${reminded.lead.reference}`
  const todo = `follow up at ${officeTimeInWords(Date.parse(at))}`
  return emailAbout(reminded, { at: email.queuedAt, title, todo, isPromised: false }, email, sender)
}
