import { sql } from 'kysely'
import type { Database } from '../database/schema.ts'
import { type Finding, findingsAbout } from './finding.ts'

const aboutClock = findingsAbout('clock')
const aboutMails = findingsAbout('waiting mails')

const MINUTE_MS = 60 * 1000
const CLOCK_TOLERANCE_MS = 2 * MINUTE_MS
// What /healthz/mail counts as waiting.
const MAIL_PATIENCE_MS = 15 * MINUTE_MS

/** Whether the times in the database fit ours, and whether the mail flows. */
export const checkContents = async (db: Database, now: Date): Promise<Finding[]> => [
  await checkClock(db, now),
  await checkMails(db, now),
]

async function checkClock(db: Database, now: Date): Promise<Finding> {
  const { rows } = await sql<{ newest: string | null }>`
    select max(at) as newest from (select max(created_at) as at from leads union all select max(at) from outbox_attempts
      union all select value from settings where name = 'last_write_check') as times`.execute(db)
  const newest = rows[0]?.newest
  if (newest && new Date(newest).getTime() - now.getTime() > CLOCK_TOLERANCE_MS)
    return aboutClock.problem(
      `The database was last written at ${newest}, but it is ${now.toISOString()} here.`,
      'One of the two clocks was wrong. Switch on time synchronisation (timedatectl set-ntp true).',
    )
  return aboutClock.ok(`It is ${now.toISOString()} here, and nothing in the database is from the future.`)
}

type Mails = { failed: number; waiting: number; since: string | null; reply: string | null }

async function checkMails(db: Database, now: Date): Promise<Finding> {
  const waitingSince = new Date(now.getTime() - MAIL_PATIENCE_MS).toISOString()
  const { rows } = await sql<Mails>`
    select (select count(*) from outbox where state = 'failed' and kind in ('owner_notice', 'digest')) as failed,
      count(*) as waiting, min(queued_at) as since,
      (select response from outbox_attempts where outcome in ('retry', 'failed') order by at desc limit 1) as reply
    from outbox
    where state in ('queued', 'sending') and kind in ('owner_notice', 'digest') and queued_at < ${waitingSince}`.execute(
    db,
  )
  const { failed, waiting, since, reply } = rows[0] as Mails
  const lastReply = reply ? ` The last failure: ${reply.replace(/[\p{C}]/gu, ' ').slice(0, 200)}` : ''
  if (failed > 0)
    return aboutMails.problem(
      `${failed} mails were given up on.${lastReply}`,
      'The leads are kept: read them with `leads list --state failed`. Mend the mailbox, or MAIL_TO and start the server anew; then `leads resend --failed`.',
    )
  if (waiting > 0)
    return aboutMails.problem(
      `${waiting} mails wait, the oldest since ${since}.${lastReply}`,
      'They leave by themselves once the mail server takes them: see what this report says of it.',
    )
  return aboutMails.ok('No mail waits, and none was given up on.')
}
