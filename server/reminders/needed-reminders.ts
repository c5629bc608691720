import { responseTimes } from '#facts/promises.ts'
import { addOfficeMinutes } from '#shared/promise-clock.ts'
import type { Database } from '../database/schema.ts'
import { waitingLeads } from '../inbox/reads/lists.ts'

// The reminder comes an office hour before the reply is due. If replies are promised within less than two office hours, it
// comes when half that time is over, so that it doesn't come together with the notice of the lead.
const REMIND_OFFICE_MINUTES = Math.min(60, responseTimes.emailReplyOfficeHours * 30)

/** The waiting leads whose replies are due within the next `REMIND_OFFICE_MINUTES`. */
const leadsToRemind = (db: Database, now: Date) =>
  waitingLeads(db, now)
    .where('due_at', '>=', now.toISOString())
    .where('due_at', '<', addOfficeMinutes(now, REMIND_OFFICE_MINUTES).toISOString())

/** The IDs of at most `max` leads that need reminders but have fewer than `reminders`, which is the number of owners. */
export async function findUnreminded(
  db: Database,
  now: Date,
  reminders: number,
  max: number,
): Promise<string[]> {
  const leads = await leadsToRemind(db, now)
    .select('id')
    // A list is about to name them.
    .where('awaits_list', '=', 0)
    .where(
      ({ selectFrom }) =>
        selectFrom('outbox')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('lead_id', '=', 'leads.id')
          .where('kind', '=', 'reminder'),
      '<',
      reminders,
    )
    .orderBy('sort_key')
    .limit(max)
    .execute()
  return leads.map(({ id }) => id)
}

/** Whether this lead still needs its reminder. */
export async function needsReminder(db: Database, leadId: string, now: Date): Promise<boolean> {
  const lead = await leadsToRemind(db, now).select('id').where('id', '=', leadId).executeTakeFirst()
  return lead !== undefined
}
