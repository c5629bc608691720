import { sql } from 'kysely'
import { responseTimes } from '#facts/promises.ts'
import { addOfficeMinutes } from '#shared/promise-clock.ts'
import type { Context } from '../context.ts'
import { readNote, writeNote } from '../database/notes.ts'
import type { Database } from '../database/schema.ts'
import { type Lead, toLead } from '../leads/lead-store.ts'
import { waitingLeads } from '../leads/lists/lists.ts'
import { domainOf, type NewEmail } from '../outbox/email.ts'
import { enqueue } from '../outbox/enqueue.ts'
import type { ReminderContent } from './reminder-email.ts'

const HOUR_MS = 60 * 60_000
// The reminder comes an office hour before the reply is due. If replies are promised within less
// than two office hours, it comes when half that time is over, so that it doesn't come together
// with the notice of the lead.
const REMIND_OFFICE_MINUTES = Math.min(60, responseTimes.emailReplyOfficeHours * 30)
// The next reminder comes an hour later at the earliest, so each one also names the leads that
// can't wait for the next.
const AHEAD_OFFICE_MINUTES = REMIND_OFFICE_MINUTES + 60
// How many leads get reminders at once, because visitors' requests have to wait while these are
// stored. The others are next.
const MAX_AT_ONCE = 200

/**
 * Creates a function, to be called every minute, that reminds all owners of leads whose promised
 * replies are due soon: with at most one email an hour for each owner. Just before it would be
 * sent, the email leaves out the leads that no longer need it, and is deleted if none is left: see
 * `createWriteEmail`.
 */
export function createReminders({ db, write, now, env }: Context) {
  const mailTo = env.MAIL_TO
  const domain = domainOf(env.MAIL_FROM)

  return async function remind(): Promise<void> {
    // Without this, the transaction would take the database's only write lock every minute.
    if (!(await isDue(db, now(), mailTo.length))) return
    await write(async (transaction) => {
      const at = now()
      const leads = await findUnreminded(transaction, at, aheadOf(at), mailTo.length, MAX_AT_ONCE)
      const ids = leads.map(({ id }) => id)
      const reminders = transaction.selectFrom('outbox').select('message_id').where('kind', '=', 'reminder')
      const rows = await reminders.where('lead_id', 'in', ids).execute()
      const kept = new Set(rows.map((row) => row.message_id))
      for (const [index, recipient] of mailTo.entries()) {
        const emails = leads.map(({ id, due_at }) => ({
          leadId: id,
          // Each promise has its own reminder.
          messageId: `<${id}-reminder-${due_at.replaceAll(':', '')}.${index}@${domain}>`,
        }))
        // Once a lead is answered, its unsent reminders are deleted instead of sent. If it is
        // reopened later, this queues them again, but not the reminders that are still stored.
        const missing = emails.filter(({ messageId }) => !kept.has(messageId))
        await enqueue(
          transaction,
          bundle(missing, recipient, `<reminders-${at.getTime()}.${index}@${domain}>`, at),
          at,
        )
      }
      await writeNote(transaction, 'reminded_at', at.toISOString())
    })
  }
}

type Unsent = { leadId: string; messageId: string }

/**
 * The emails to an owner. A single lead has an email of its own. Several leads share one; then each
 * lead has a row that isn't sent, which says that the lead has had its reminder.
 */
function bundle(leads: readonly Unsent[], recipient: string, messageId: string, at: Date): NewEmail[] {
  const reminder = (content: ReminderContent) =>
    ({ kind: 'reminder', recipient, content: JSON.stringify(content) }) as const
  const single = reminder({ at: at.toISOString() })
  if (leads.length < 2) return leads.map((lead) => ({ ...lead, ...single }))
  const leadIds = leads.map(({ leadId }) => leadId)
  return [
    ...leads.map((lead) => ({ ...lead, ...single, isListed: true })),
    { ...reminder({ at: at.toISOString(), leadIds }), messageId },
  ]
}

/**
 * Whether a lead needs a reminder now. Within an hour of the last one, that's only a lead that
 * would be late before the next one, such as one that has just been reopened.
 */
async function isDue(db: Database, at: Date, owners: number): Promise<boolean> {
  const last = Date.parse((await readNote(db, 'reminded_at')) ?? '')
  const isPause = at.getTime() < last + HOUR_MS
  const until = Math.min(
    addOfficeMinutes(at, REMIND_OFFICE_MINUTES).getTime(),
    isPause ? last + HOUR_MS : Infinity,
  )
  return (await findUnreminded(db, at, new Date(until), owners, 1)).length > 0
}

const aheadOf = (now: Date): Date => addOfficeMinutes(now, AHEAD_OFFICE_MINUTES)

/** The waiting leads whose replies are due from now until then. */
const leadsDue = (db: Database, now: Date, until: Date) =>
  waitingLeads(db, now).where('due_at', '>=', now.toISOString()).where('due_at', '<', until.toISOString())

/**
 * At most `max` leads that need reminders but have fewer than `reminders`, which is the number of
 * owners.
 */
const findUnreminded = (db: Database, now: Date, until: Date, reminders: number, max: number) =>
  leadsDue(db, now, until)
    .select(['id', 'due_at'])
    // A list is about to name them.
    .where('awaits_list', '=', 0)
    .where(
      ({ selectFrom }) =>
        selectFrom('outbox')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('lead_id', '=', 'leads.id')
          .where('kind', '=', 'reminder')
          // Whoever waits and writes again has the same promise. In earlier versions, a reminder
          // belonged to the last message.
          .where(
            sql<boolean>`(message_id like '<' || leads.id || '-reminder-' || replace(leads.due_at, ':', '') || '.%'
              or message_id not like '%-reminder-____-__-__T%' and queued_at > coalesce(leads.replied_at, ''))`,
          ),
      '<',
      reminders,
    )
    .orderBy('sort_key')
    .limit(max)
    .execute()

/** Those of the leads that still need a reminder. */
export async function stillToRemind(db: Database, leadIds: readonly string[], now: Date): Promise<Lead[]> {
  const rows = await leadsDue(db, now, aheadOf(now))
    .selectAll()
    .where('id', 'in', leadIds)
    .orderBy('sort_key')
    .execute()
  return rows.map(toLead)
}

/** Lets leads that a shared reminder has left out get another one, if they are reopened. */
export const allowReminders = (db: Database, leadIds: readonly string[], recipient: string) =>
  db
    .deleteFrom('outbox')
    .where((row) => row.and({ kind: 'reminder', state: 'listed', recipient }))
    .where('lead_id', 'in', leadIds)
    .execute()
