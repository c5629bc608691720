import { type RawBuilder, sql } from 'kysely'
import { count } from '../count.ts'
import type { Database } from '../database/schema.ts'
import {
  type Backlog,
  isBounced,
  MAIL_PATIENCE_MS,
  readBacklog,
  readStuckForWebhook,
} from '../outbox/backlog.ts'
import { isSmtpUsed } from '../outbox/delivery-mode.ts'
import { type Finding, findingsAbout } from './finding.ts'
import { oneLine } from './mail-server.ts'
import { checkPasskeys } from './passkeys.ts'

const aboutClock = findingsAbout('clock')
const aboutEmails = findingsAbout('waiting emails')
const aboutReceipts = findingsAbout('receipts')
const aboutPosts = findingsAbout('waiting posts')

const MINUTE_MS = 60 * 1000
const CLOCK_TOLERANCE_MS = 2 * MINUTE_MS
// Older bounces no longer matter: the visitor has been called or has gone elsewhere.
const BOUNCE_DAYS = 7

/** Settings that must match what the database contains. */
export type RelatedSettings = {
  smtpUrl?: string | undefined
  siteUrl?: string | undefined
  hasWebhook?: boolean
}

/** Checks the clock, the queued emails and posts, recent bounces and the passkeys. */
export const checkContents = async (
  db: Database,
  { smtpUrl, siteUrl, hasWebhook = false }: RelatedSettings,
  now: Date,
): Promise<Finding[]> => [
  await checkClock(db, now),
  ...(await checkPasskeys(db, siteUrl)),
  ...(await checkEmails(db, smtpUrl, now)),
  ...(await checkReceipts(db, now)),
  ...(await checkPosts(db, hasWebhook, now)),
]

async function checkClock(db: Database, now: Date): Promise<Finding> {
  const { rows } = await sql<{ newest: string | null }>`
    select max(at) as newest from (select max(created_at) as at from leads union all select max(at) from outbox_attempts
      union all select value from settings where name = 'last_write_check') as times`.execute(db)
  const newest = rows[0]?.newest
  if (newest && new Date(newest).getTime() - now.getTime() > CLOCK_TOLERANCE_MS)
    return aboutClock.problem(
      `The database was last written at ${newest}, but the time here is ${now.toISOString()}.`,
      'The clock is wrong now, or was wrong at that time. Turn on time synchronization (timedatectl set-ntp true).',
    )
  return aboutClock.ok(`The time here is ${now.toISOString()}; nothing in the database is from the future.`)
}

async function checkEmails(db: Database, smtpUrl: string | undefined, now: Date): Promise<Finding[]> {
  const { open } = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where(sql<boolean>`state in ('queued', 'sending') and kind <> 'webhook'`)
    .executeTakeFirstOrThrow()
  if (!smtpUrl && (await isSmtpUsed(db)))
    return [
      aboutEmails.problem(
        `SMTP_URL is not set, but this installation used it before. Emails stay in the queue (${open} so far).`,
        'Set SMTP_URL again and restart the server. Nothing is lost: it then sends the queued emails.',
      ),
    ]
  const backlog = await readBacklog(db, new Date(now.getTime() - MAIL_PATIENCE_MS))
  if (backlog.givenUp > 0 || backlog.waiting > 0 || backlog.refused)
    return describeBacklog(backlog, await lastFailure(db, isToOwner))
  if (open === 0) return [aboutEmails.ok('No email is waiting, and none has failed.')]
  const waiting = count(open, 'email is waiting', 'emails are waiting')
  return [aboutEmails.ok(`${waiting}. None is late, and none has failed.`)]
}

function describeBacklog(
  { waiting, refused = 0, oldestAt, givenUp }: Backlog,
  reply: string | undefined,
): Finding[] {
  const lastReply = reply ? ` The last failure: ${oneLine(reply)}` : ''
  const failed = aboutEmails.problem(
    `The server gave up on ${count(givenUp, 'email')} to the owner.${lastReply}`,
    'The leads are safe. To see them: leads list --mail failed. Fix the mailbox, or change MAIL_TO and restart the server. Then run: leads resend --failed',
  )
  const late = aboutEmails.problem(
    `${count(waiting, 'email')} can't be sent. The oldest has been waiting since ${oldestAt}.${lastReply}`,
    'The server keeps trying. See the mail server finding in this report.',
  )
  const notTaken = aboutEmails.problem(
    `The mail server refuses ${count(refused, 'email')} to the owner because of the recipient or the content, but takes others.${lastReply}`,
    'Check the mailboxes in MAIL_TO. The server keeps trying.',
  )
  return [
    ...(givenUp > 0 ? [failed] : []),
    ...(waiting > 0 ? [late] : []),
    ...(refused > 0 ? [notTaken] : []),
  ]
}

async function checkReceipts(db: Database, now: Date): Promise<Finding[]> {
  const since = new Date(now.getTime() - BOUNCE_DAYS * 24 * 60 * MINUTE_MS)
  const { failed, bounced } = await db
    .selectFrom('outbox')
    .select(({ fn }) => [
      fn.countAll<number>().as('failed'),
      fn.countAll<number>().filterWhere(isBounced).as('bounced'),
    ])
    // With a parameter instead of 'failed', SQLite would not use the index `outbox_failed`. For a failed email, `due_at` is
    // the time when it failed.
    .where(sql<boolean>`state = 'failed' and kind = 'visitor_receipt'`)
    .where('due_at', '>=', since.toISOString())
    .executeTakeFirstOrThrow()
  const unsent = failed - bounced
  const otherFailures = aboutReceipts.ok(
    `${count(unsent, 'receipt was', 'receipts were')} not sent in the last ${BOUNCE_DAYS} days: too late, or refused for a reason other than the address.`,
  )
  const addresses = bounced === 1 ? "the visitor's address" : "the visitors' addresses"
  const bounces = aboutReceipts.warning(
    `${count(bounced, 'receipt')} bounced in the last ${BOUNCE_DAYS} days: ${addresses} may be wrong.`,
    'Call instead. To see the leads: leads list --mail bounced',
  )
  return [...(unsent > 0 ? [otherFailures] : []), ...(bounced > 0 ? [bounces] : [])]
}

/** Checks the leads that are waiting to be posted to LEAD_WEBHOOK_URL. */
async function checkPosts(db: Database, hasWebhook: boolean, now: Date): Promise<Finding[]> {
  if (!hasWebhook) {
    const { open } = await db
      .selectFrom('outbox')
      .select(({ fn }) => fn.countAll<number>().as('open'))
      .where(sql<boolean>`state in ('queued', 'sending') and ${isPost}`)
      .executeTakeFirstOrThrow()
    const seen = `${count(open, 'lead is', 'leads are')} waiting for LEAD_WEBHOOK_URL, which is not set.`
    return open > 0 ? [aboutPosts.warning(seen, 'To post them, set it again and restart the server.')] : []
  }
  const stuck = await readStuckForWebhook(db, new Date(now.getTime() - MAIL_PATIENCE_MS))
  if (!stuck || stuck.waiting + stuck.givenUp === 0) return []
  const reply = await lastFailure(db, isPost)
  const why = reply ? ` The last failure: ${oneLine(reply)}` : ''
  const failed = aboutPosts.problem(
    `The server gave up on posting ${count(stuck.givenUp, 'lead')} to LEAD_WEBHOOK_URL.${why}`,
    'Fix the other program, then run: leads resend --failed',
  )
  const late = aboutPosts.problem(
    `${count(stuck.waiting, 'lead')} can't be posted to LEAD_WEBHOOK_URL. The oldest has been waiting since ${stuck.oldestAt}.${why}`,
    'The server keeps trying. See the lead webhook finding in this report.',
  )
  return [...(stuck.givenUp > 0 ? [failed] : []), ...(stuck.waiting > 0 ? [late] : [])]
}

const isToOwner = sql<boolean>`kind not in ('visitor_receipt', 'answer', 'webhook')`
const isPost = sql<boolean>`kind = 'webhook'`

async function lastFailure(db: Database, isKind: RawBuilder<boolean>): Promise<string | undefined> {
  const failure = await db
    .selectFrom('outbox_attempts')
    .innerJoin('outbox', 'outbox.id', 'outbox_id')
    .select('response')
    .where(isKind)
    .where('outcome', 'in', ['retry', 'failed'])
    .orderBy('outbox_attempts.rowid', 'desc')
    .limit(1)
    .executeTakeFirst()
  return failure?.response
}
