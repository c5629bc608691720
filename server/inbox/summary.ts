import type { Summary } from '#shared/inbox/api.ts'
import { type LeadView, leadViews } from '#shared/inbox/lead.ts'
import type { Context } from '../context.ts'
import { medianToAnswer } from '../leads/lists/figures.ts'
import { countUpTo, lateLeads, leadsIn, waitingLeads } from '../leads/lists/lists.ts'
import { readArrivalTrouble } from '../mailbox/arrivals.ts'
import { readLongTrouble } from '../mailbox/trouble.ts'
import { isGivenUp, readBacklog } from '../outbox/backlog.ts'
import { isSmtpUsed } from '../outbox/delivery-mode.ts'

type Deps = Pick<Context, 'db' | 'env'>

/** The figures above the list. Counting stops at `MAX_COUNTED`. */
export async function readSummary({ db, env }: Deps, now: Date): Promise<Summary> {
  const counts = {} as Record<LeadView, number>
  for (const view of leadViews) counts[view] = await countUpTo(db, leadsIn(db, view, now))
  return {
    counts,
    waiting: await countUpTo(db, waitingLeads(db, now)),
    late: await countUpTo(db, lateLeads(db, now)),
    medianMinutesToAnswer: await medianToAnswer(db),
    mail: await readMail({ db, env }, now, 0),
  }
}

/**
 * Whether webhook requests, answers to visitors and the owners' emails go out, and replies come in:
 * the most urgent trouble, and since when. An outage comes first: while it lasts, no email goes
 * out, and nothing that failed earlier may hide that.
 */
export async function readMail(
  { db, env }: Deps,
  now: Date,
  mailboxPatienceMs?: number,
): Promise<Summary['mail']> {
  const hasMailServer = env.SMTP_URL !== undefined
  const isHeld = !hasMailServer && (await isSmtpUsed(db))
  const backlog = await readBacklog({ db, env }, now, isHeld ? 0 : undefined)
  const { oldestAt, givenUp: failed, refusedSince, webhook } = backlog
  const mail = (state: Summary['mail']['state'], since: string | null = null) => ({ state, since, failed })
  if (isHeld || oldestAt) return mail(isHeld ? 'held' : 'waiting', oldestAt)
  if (failed > 0) {
    const givenUp = db.selectFrom('outbox').where(isGivenUp).select('queued_at')
    const oldest = await givenUp.orderBy('id').limit(1).executeTakeFirst()
    return mail('failed', oldest?.queued_at)
  }
  if (refusedSince) return mail('refused', refusedSince)
  if (webhook && webhook.waiting + webhook.givenUp > 0) return mail('webhook', webhook.oldestAt)
  const mailbox = await readLongTrouble(db, env, now, mailboxPatienceMs)
  if (mailbox) return mail('mailbox', mailbox.since)
  const arrival = await readArrivalTrouble(db)
  if (arrival) return { ...mail(arrival.state, arrival.since), to: arrival.to }
  return mail(hasMailServer ? 'ok' : 'files')
}
