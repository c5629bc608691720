import type { Database, EmailKind } from '../database/schema.ts'
import { CLOCKS_AGREE_MS } from './contact-limit.ts'

const DAY_MS = 24 * 60 * 60_000

export type MailBudget = ReturnType<typeof mailBudget>

/**
 * What strangers can cause of the emails that the mail provider allows in a day (`EMAILS_A_DAY`; 0: any number). Together
 * with the reminders, which come at most once an hour, the shares are about three quarters of 300, if there are two owners,
 * leads come in all day, and strangers ask for all sign-in codes that they can get (see `codes.ts`). The rest is reserved for
 * owners: answers, their own codes, and reports.
 */
export function mailBudget(emailsADay: number, owners: number) {
  const share = (part: number) => (emailsADay === 0 ? Infinity : Math.max(1, Math.floor(emailsADay / part)))
  return {
    /** Leads that get an email of their own. The owners are told about the others by lists. */
    noticedLeads: Math.max(1, Math.floor(share(4) / owners)),
    receipts: share(10),
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

/** Counts the other leads that got an email of their own in the last day: all of them, and those from the same network. */
export async function readNoticed(db: Database, leadId: string, now: Date): Promise<Noticed> {
  const notices = sentInLastDay(db, 'owner_notice', now)
  const leads = await db
    .selectFrom('leads')
    .select(['id', 'client'])
    .where(({ or, eb }) => or([eb('id', '=', leadId), eb('id', 'in', notices.select('lead_id'))]))
    .execute()
  const client = leads.find(({ id }) => id === leadId)?.client
  const others = leads.filter(({ id }) => id !== leadId)
  const ofNetwork = others.filter((other) => client && other.client === client)
  return { noticed: others.length, ofNetwork: ofNetwork.length }
}

const sentInLastDay = (db: Database, kind: EmailKind, now: Date) =>
  db
    .selectFrom('outbox')
    .where('kind', '=', kind)
    .where('sent_at', '>', new Date(now.getTime() - DAY_MS).toISOString())
    .where('sent_at', '<=', new Date(now.getTime() + CLOCKS_AGREE_MS).toISOString())
