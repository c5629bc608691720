import { sql } from 'kysely'
import { responseTimes } from '#facts/promises.ts'
import { addOfficeMinutes, openSince } from '#shared/promise-clock.ts'
import { lockNames } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { readNote, writeNote } from '../database/settings.ts'
import { waitingLeads } from '../inbox/reads/lists.ts'
import { officeDay } from '../leads/office-time.ts'
import type { MailAddress } from '../mail/mailer.ts'
import { domainOf, type NewEmail } from '../outbox/email.ts'
import { enqueue } from '../outbox/enqueue.ts'
import { type LateListContent, readLateLeads } from './late-list.ts'
import type { ReminderContent } from './reminder-email.ts'

// The reminder comes an office hour before the reply is due. If replies are promised within less than two office hours, it
// comes when half that time is over, so that it doesn't come together with the notice of the lead.
const REMIND_OFFICE_MINUTES = Math.min(60, responseTimes.emailReplyOfficeHours * 30)
// At most this many leads get reminders per minute, because visitors' requests have to wait while reminders are stored.
const MAX_A_MINUTE = 200
// How many days the job remembers. If someone corrects a wrong clock, a day can come twice, but its list is sent only once.
const MAX_DAYS_NOTED = 31

type Deps = {
  db: Database
  mailFrom: MailAddress
  mailTo: readonly string[]
  now: () => Date
  onQueued: () => void
}

/**
 * Queues reminders to all owners: one for each lead whose promised reply is due soon, and one each workday, when the office
 * opens, with a list of the late leads. Call the returned function every minute. Just before an email would be sent, it is
 * deleted if it is no longer needed: see `createWriteEmail`.
 */
export function createReminders({ db, mailFrom, mailTo, now, onQueued }: Deps) {
  const domain = domainOf(mailFrom)

  async function remindOfLeads(): Promise<void> {
    if ((await findUnreminded(db, now(), mailTo.length, 1)).length === 0) return
    await db.transaction().execute(async (transaction) => {
      // Wait for other replicas, which run this job, too: another one may be queuing the same reminders.
      await lockNames(transaction, ['reminders'])
      const at = now()
      const content: ReminderContent = { at: at.toISOString() }
      const leads = await findUnreminded(transaction, at, mailTo.length, MAX_A_MINUTE)
      if (leads.length === 0) return
      const emails = leads.flatMap(({ id: leadId, replied_at }) => {
        // Each promise has its own reminder.
        const name = replied_at ? `${leadId}-reminder-${Date.parse(replied_at)}` : `${leadId}-reminder`
        return toOwners('reminder', name, content).map((email) => ({ ...email, leadId }))
      })
      const kept = await readMessageIds(
        transaction,
        leads.map(({ id }) => id),
      )
      // Once a lead is answered, its unsent reminders are deleted instead of sent. If it is reopened later, this queues
      // them again, but not the reminders that are still stored.
      const missing = emails.filter(({ messageId }) => !kept.has(messageId))
      await enqueue(transaction, missing, at)
    })
    onQueued()
  }

  async function listLateLeads(): Promise<void> {
    const opened = openSince(now())
    if (!opened) return
    const day = officeDay(opened)
    const days = await readDays(db)
    // On the first day, send no list: reminders may have just been turned on, hours after the office opened.
    if (!days) return void (await writeNote(db, 'late_list_days', [day]))
    if (days.includes(day)) return
    const isQueued = await db.transaction().execute(async (transaction) => {
      await lockNames(transaction, ['reminders'])
      const noted = (await readDays(transaction)) ?? []
      if (noted.includes(day)) return false
      await writeNote(transaction, 'late_list_days', [...noted, day].slice(-MAX_DAYS_NOTED))
      const { count } = await readLateLeads(transaction, opened)
      if (count === 0) return false
      const content: LateListContent = { opened: opened.toISOString() }
      await enqueue(transaction, toOwners('late_list', `late-${day}`, content), now())
      return true
    })
    if (isQueued) onQueued()
  }

  const toOwners = (kind: NewEmail['kind'], name: string, content: object): NewEmail[] =>
    mailTo.map((recipient, index) => ({
      kind,
      recipient,
      messageId: `<${name}.${index}@${domain}>`,
      content: JSON.stringify(content),
    }))

  return async function remind(): Promise<void> {
    await remindOfLeads()
    await listLateLeads()
  }
}

async function readMessageIds(db: Database, leadIds: readonly string[]): Promise<ReadonlySet<string>> {
  const reminders = db.selectFrom('outbox').select('message_id').where('kind', '=', 'reminder')
  const rows = await reminders.where('lead_id', 'in', leadIds).execute()
  return new Set(rows.map(({ message_id }) => message_id))
}

/** The office days whose list was queued or would have been empty. Undefined if no day has been recorded yet. */
async function readDays(db: Database): Promise<string[] | undefined> {
  const days = await readNote<unknown>(db, 'late_list_days')
  return Array.isArray(days) ? days : undefined
}

/** The waiting leads whose replies are due within the next `REMIND_OFFICE_MINUTES`. */
const leadsToRemind = (db: Database, now: Date) =>
  waitingLeads(db, now)
    .where('due_at', '>=', now.toISOString())
    .where('due_at', '<', addOfficeMinutes(now, REMIND_OFFICE_MINUTES).toISOString())

/** At most `max` leads that need reminders but have fewer than `reminders`, which is the number of owners. */
const findUnreminded = (db: Database, now: Date, reminders: number, max: number) =>
  leadsToRemind(db, now)
    .select(['id', 'replied_at'])
    // A list is about to name them.
    .where('awaits_list', '=', 0)
    .where(
      ({ selectFrom }) =>
        selectFrom('outbox')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('lead_id', '=', 'leads.id')
          .where('kind', '=', 'reminder')
          // One for each promise.
          .where('queued_at', '>', sql<string>`coalesce(leads.replied_at, '')`),
      '<',
      reminders,
    )
    .orderBy('sort_key')
    .limit(max)
    .execute()

/** Whether this lead still needs its reminder. */
export async function needsReminder(db: Database, leadId: string, now: Date): Promise<boolean> {
  const lead = await leadsToRemind(db, now).select('id').where('id', '=', leadId).executeTakeFirst()
  return lead !== undefined
}
