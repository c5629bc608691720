import { type RawBuilder, sql } from 'kysely'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import type { Database } from '../database/schema.ts'
import { explainReply, oneLine } from '../mail/mail-advice.ts'
import { isGivenUp, isRefused, isUnsent, readBacklog } from '../outbox/backlog.ts'
import { type DatabaseContext, type Found, problem, warning } from './check.ts'

type QueueContext = Pick<DatabaseContext, 'db' | 'env' | 'now' | 'command'>

const isToOwner = sql<boolean>`kind not in ('visitor_receipt', 'answer', 'webhook')`

/** Checks the emails, and the leads for LEAD_WEBHOOK_URL, that are late or were given up. */
export async function checkQueue({ db, env, now, command }: QueueContext): Promise<Found[]> {
  const { webhook, ...emails } = await readBacklog({ db, env }, now)
  const mail = await lastFailure(db, sql`state = 'queued' and ${isToOwner}`)
  const late = await lastFailure(db, isUnsent)
  const refused = await lastFailure(db, isRefused)
  const failed = await lastFailure(db, isGivenUp)
  const post = await lastFailure(db, sql`state in ('queued', 'sending') and kind = 'webhook'`)
  const lostPost = await lastFailure(db, sql`state = 'failed' and kind = 'webhook'`)
  const resend = `then restart the server and run: ${command('leads resend --failed')}`
  const report = (seen: string, amount: number | undefined, why: string, advice: string) =>
    amount ? [problem(`${seen}: ${amount}. ${why}`, advice)] : []
  const since = emails.oldestAt ? ` (since ${officeTimeInWords(Date.parse(emails.oldestAt))})` : ''
  const isReported = emails.waiting > 0 || emails.refused
  const retried = isReported ? 0 : await countRetried(db, now)
  return [
    retried > 0
      ? [
          warning(
            `Emails that wait for another try: ${retried}. ${mail.why}`,
            `${mail.advice} A restart tries at once.`,
          ),
        ]
      : [],
    report(`Late emails${since}`, emails.waiting, late.why, late.advice),
    report('Refused emails to you, while others go out', emails.refused, refused.why, refused.advice),
    report('Failed emails to you', emails.givenUp, failed.why, `Correct MAIL_TO, ${resend}`),
    report('Leads that wait for LEAD_WEBHOOK_URL', webhook?.waiting, post.why, checkProgram),
    report(
      'Leads that LEAD_WEBHOOK_URL never took',
      webhook?.givenUp,
      lostPost.why,
      `${checkProgram}, ${resend}`,
    ),
  ].flat()
}

/** Emails to owners whose last attempt has failed. Not those that are queued now: see concerns.ts. */
async function countRetried(db: Database, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'queued')
    .where('queued_at', '<', now.toISOString())
    .where(isToOwner)
    .where('attempts', '>', 0)
    .executeTakeFirstOrThrow()
  return count
}

const checkProgram = 'Correct the other program or LEAD_WEBHOOK_URL'

/** The reply to the last attempt that failed, and what to do about it. */
async function lastFailure(db: Database, isWanted: RawBuilder<unknown>) {
  const failure = await db
    .selectFrom('outbox_attempts')
    .innerJoin('outbox', 'outbox.id', 'outbox_id')
    .select('response')
    .where(sql<boolean>`${isWanted}`)
    .where('outcome', 'in', ['retry', 'failed'])
    // Attempts before a resend don't count.
    .where(sql<boolean>`(attempts > 0 or state = 'failed')`)
    .orderBy('outbox_attempts.rowid', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!failure) return { why: 'No attempt has failed.', advice: 'Restart the server, or read its log.' }
  const { advice } = explainReply(failure.response, 'SMTP_URL')
  return { why: `The last failure: ${oneLine(failure.response)}`, advice }
}

/** Reports passkeys for another host name than the one in SITE_URL: browsers don't offer them. */
export async function checkPasskeys({ db, env }: DatabaseContext): Promise<Found[]> {
  const hostname = URL.parse(env.SITE_URL ?? '')?.hostname ?? ''
  const hosts = await db.selectFrom('passkeys').select('host').distinct().execute()
  const lost = hosts.filter(({ host }) => hostname && host !== hostname)
  return lost.map(({ host }) =>
    warning(
      `Passkeys that were added at ${host} cannot be used at ${hostname}, the host name in SITE_URL.`,
      `Sign in with a code and replace them at ${env.SITE_URL}/inbox/access, or set SITE_URL back to ${host}.`,
    ),
  )
}

/** Reports the push services that refuse messages to owners' devices. */
export async function checkPush({ db }: Pick<DatabaseContext, 'db'>): Promise<Found[]> {
  const all = db.selectFrom('push_subscriptions').select(['endpoint', 'refused'])
  const refused = await all.where('refused', 'is not', null).execute()
  return refused.map(({ endpoint, refused }) =>
    warning(
      `${new URL(endpoint).host} refuses the push messages to an owner's device (${refused}).`,
      'A wrong clock (see "time"), or a MAIL_FROM without a public domain (such as .local), has this effect. If both are right, turn the messages off and on again on that device.',
    ),
  )
}
