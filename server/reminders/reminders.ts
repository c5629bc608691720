import { responseTimes } from '#facts/promises.ts'
import { addOfficeMinutes } from '#shared/promise-clock.ts'
import type { Context } from '../context.ts'
import { readNote, writeNote } from '../database/notes.ts'
import type { Database } from '../database/schema.ts'
import { type Lead, toLead } from '../leads/lead-store.ts'
import { waitingLeads } from '../leads/lists/lists.ts'
import { enqueue, toEachOwner } from '../outbox/email.ts'
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
  return async function remind(): Promise<void> {
    // Without this, the transaction would take the database's only write lock every minute.
    if (!(await isDue(db, now()))) return
    await write(async (transaction) => {
      const at = now()
      const leads = await findUnreminded(transaction, at, aheadOf(at), MAX_AT_ONCE)
      const leadIds = leads.map(({ id }) => id)
      const [first] = leadIds
      if (first === undefined) return
      const reminded_at = at.toISOString()
      const content = JSON.stringify({ at: reminded_at, leadIds } satisfies ReminderContent)
      const isAlone = leadIds.length === 1
      const reminder = { kind: 'reminder' as const, content, ...(isAlone && { leadId: first }) }
      // What answers an email whose Message-ID begins with the ID of a lead belongs to that lead.
      const name = `${isAlone ? `${first}-reminder` : 'reminders'}-${at.getTime()}`
      await enqueue(transaction, toEachOwner(env, name, reminder), at)
      await transaction
        .updateTable('leads')
        .set((lead) => ({ reminded_at, reminded_of: lead.ref('due_at') }))
        .where('id', 'in', leadIds)
        .execute()
      await writeNote(transaction, 'reminded_at', reminded_at)
    })
  }
}

/**
 * Whether a lead needs a reminder now. Within an hour of the last one, that's only a lead that
 * would be late before the next one, such as one that has just been reopened.
 */
async function isDue(db: Database, at: Date): Promise<boolean> {
  const last = Date.parse((await readNote(db, 'reminded_at')) ?? '')
  const isPause = at.getTime() < last + HOUR_MS
  const until = Math.min(
    addOfficeMinutes(at, REMIND_OFFICE_MINUTES).getTime(),
    isPause ? last + HOUR_MS : Infinity,
  )
  return (await findUnreminded(db, at, new Date(until), 1)).length > 0
}

const aheadOf = (now: Date): Date => addOfficeMinutes(now, AHEAD_OFFICE_MINUTES)

/** The waiting leads whose replies are due from now until then. */
const leadsDue = (db: Database, now: Date, until: Date) =>
  waitingLeads(db, now).where('due_at', '>=', now.toISOString()).where('due_at', '<', until.toISOString())

/** At most `max` leads of whose promise owners have not been reminded. */
const findUnreminded = (db: Database, now: Date, until: Date, max: number) =>
  leadsDue(db, now, until)
    .select('id')
    // A list is about to name them.
    .where('awaits_list', '=', 0)
    .where((lead) =>
      lead.or([lead('reminded_of', 'is', null), lead('reminded_of', '<>', lead.ref('due_at'))]),
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

/** Lets leads that a reminder has left out get another one, if they are reopened. */
export const allowReminders = (db: Database, leadIds: readonly string[]) =>
  db.updateTable('leads').set({ reminded_of: null }).where('id', 'in', leadIds).execute()
