import { officeDay, openingOn } from '#shared/office-time.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { openSince } from '#shared/promise-clock.ts'
import type { Context } from '../context.ts'
import type { Database } from '../database/schema.ts'
import { hasComeSince } from '../leads/lists/sort-key.ts'
import type { Envelope, Message, Sender } from '../mail/mailer.ts'
import { enqueue, toEachOwner } from '../outbox/email.ts'
import { emailAbout, type Reminded } from './reminder-email.ts'

// After an outage, what is older is in the morning email.
const MAX_AGE_MS = 60 * 60_000

/** `at`: the time of the follow-up. */
export type FollowUpContent = { at: string }

/**
 * Creates a function, to be called every minute, that tells all owners when the time of a follow-up
 * has come. Those for the opening of the office are in the morning email.
 */
export function createFollowUps({ db, write, now, env }: Context) {
  return async function tellOfFollowUps(): Promise<void> {
    const at = now()
    const since = new Date(at.getTime() - MAX_AGE_MS).toISOString()
    const leads = await db
      .selectFrom('leads')
      .select(['id', 'follow_up_at'])
      .where('list', '=', 'open')
      .where(hasComeSince(since, at))
      .execute()
    for (const { id, follow_up_at } of leads) {
      const time = String(follow_up_at)
      if (isInMorningEmail(new Date(time))) continue
      const content: FollowUpContent = { at: time }
      const emails = toEachOwner(env, `${id}-follow-up-${Date.parse(time)}`, {
        leadId: id,
        kind: 'follow_up',
        content: JSON.stringify(content),
      })
      const ids = emails.map(({ messageId }) => messageId)
      const known = await db
        .selectFrom('outbox')
        .select('id')
        .where('message_id', 'in', ids)
        .where('lead_id', '=', id)
        .executeTakeFirst()
      if (known) continue
      await write((transaction) => enqueue(transaction, emails, at))
    }
  }
}

/** Whether the office opens at this time. */
const isInMorningEmail = (time: Date): boolean =>
  openSince(time) !== undefined && time.getTime() === openingOn(officeDay(time)).getTime()

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
  email: Envelope,
  sender: Sender,
): Message {
  const title = `Follow-up of ${reminded.lead.reference}`
  const todo = `follow up at ${officeTimeInWords(Date.parse(at))}`
  return emailAbout(reminded, { at, title, todo, isPromised: false }, email, sender)
}
