import { prepared } from '../database/prepared.ts'
import type { Database } from '../database/schema.ts'
import { CLOCKS_AGREE_MS } from './contact-limit.ts'

const DAY_MS = 24 * 60 * 60_000

export type MailBudget = ReturnType<typeof mailBudget>

/**
 * What strangers can cause of the emails that the mail provider allows in a day (`EMAILS_A_DAY`; 0: any number). The shares
 * add up to about four fifths of 300, if there are two owners, leads come in all day, and strangers ask for all sign-in codes
 * that they can get (see `codes.ts`). The rest is reserved for owners: answers, their own codes, and reports.
 */
export function mailBudget(emailsADay: number, owners: number) {
  const share = (part: number) => (emailsADay === 0 ? Infinity : Math.max(1, Math.floor(emailsADay / part)))
  return {
    /** Leads that get an email of their own. The owners are told about the others by lists. */
    noticedLeads: Math.max(1, Math.floor(share(4) / owners)),
    receipts: share(10),
    reminders: share(15),
  }
}

// How much of the budget there is for suspected spam, and for networks that have already sent a lead today. A network's
// first lead may use all of it. So what one stranger sends leaves room for the first lead of everybody else.
const SUSPECTS_SHARE = 0.4
const REPEATED_SHARE = 0.7
const NETWORK_SHARE = 0.1

type Noticed = { noticed: number; ofNetwork: number }

/** Whether a lead still gets an email of its own. `noticed` counts the leads that got one in the last day. */
export function hasRoom({ noticedLeads }: MailBudget, { noticed, ofNetwork }: Noticed, isSuspect: boolean) {
  if (noticedLeads === Infinity) return true
  const share = isSuspect ? SUSPECTS_SHARE : ofNetwork > 0 ? REPEATED_SHARE : 1
  return noticed < noticedLeads * share && ofNetwork < Math.max(1, noticedLeads * NETWORK_SHARE)
}

const countNoticed = prepared(
  (db, { leadId, since, until }: { leadId: string } & ReturnType<typeof lastDay>) => {
    const notices = db
      .selectFrom('outbox')
      .where('kind', '=', 'owner_notice')
      .where('sent_at', '>', since)
      .where('sent_at', '<=', until)
      .where('lead_id', '<>', leadId)
    const client = db.selectFrom('leads').select('client').where('id', '=', leadId)
    const ofNetwork = notices.where('lead_id', 'in', (query) =>
      query.selectFrom('leads').select('leads.id').where('client', '=', client),
    )
    return db.selectNoFrom([
      notices.select(({ fn }) => fn.count<number>('lead_id').distinct().as('leads')).as('noticed'),
      ofNetwork.select(({ fn }) => fn.count<number>('lead_id').distinct().as('leads')).as('ofNetwork'),
    ])
  },
)

/** Counts the other leads that got an email of their own in the last day: all of them, and those from the same network. */
export async function readNoticed(db: Database, leadId: string, now: Date): Promise<Noticed> {
  const { rows } = await countNoticed(db, { leadId, ...lastDay(now) })
  return { noticed: rows[0]?.noticed ?? 0, ofNetwork: rows[0]?.ofNetwork ?? 0 }
}

/** How many reminders were sent in the last day. */
export async function countReminders(db: Database, now: Date): Promise<number> {
  const { since, until } = lastDay(now)
  const { reminders } = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<number>().as('reminders'))
    .where('kind', '=', 'reminder')
    .where('sent_at', '>', since)
    .where('sent_at', '<=', until)
    .executeTakeFirstOrThrow()
  return reminders
}

const lastDay = (now: Date) => ({
  since: new Date(now.getTime() - DAY_MS).toISOString(),
  until: new Date(now.getTime() + CLOCKS_AGREE_MS).toISOString(),
})
