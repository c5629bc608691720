import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { schemaAge } from '../database/schema-age.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('database')
const aboutClock = findingsAbout('clock')
const aboutMails = findingsAbout('waiting mails')

const MINUTE_MS = 60 * 1000
const CLOCK_TOLERANCE_MS = 2 * MINUTE_MS
// What /healthz/mail counts as waiting.
const MAIL_PATIENCE_MS = 15 * MINUTE_MS
// SQLite writes the log back at 4 MB; much more means that somebody keeps it from doing so.
const LARGE_LOG_BYTES = 64 * 1024 * 1024

/** Looks into `leads.db`, beside a running server: is it whole, does its time fit ours, does the mail flow. */
export function checkDatabase(dataDir: string, now: Date): Finding[] {
  const path = join(dataDir, 'leads.db')
  if (!existsSync(path))
    return [about.warning(`${path} does not exist yet.`, 'Start the server once; it makes the database.')]
  let sqlite: Sqlite.Database | undefined
  try {
    sqlite = new Sqlite(path, { readonly: true })
    const whole = checkWhole(sqlite)
    if (whole.state === 'problem' || schemaAge(sqlite) !== 'current') return [whole]
    return [whole, ...checkLog(path), checkClock(sqlite, now), checkMails(sqlite, now)]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [about.problem(`${path} cannot be read: ${reason}.`, restoreAdvice)]
  } finally {
    sqlite?.close()
  }
}

const restoreAdvice =
  'Stop the server, keep a copy of the data directory, and restore the last backup: see server/operations.md.'

function checkWhole(sqlite: Sqlite.Database): Finding {
  const check = sqlite.pragma('quick_check(1)', { simple: true })
  if (check !== 'ok') return about.problem(`leads.db is damaged: ${check}.`, restoreAdvice)
  const age = schemaAge(sqlite)
  if (age === 'newer')
    return about.problem('leads.db was written by a newer version of this program.', 'Start that version.')
  if (age === 'empty')
    return about.warning('leads.db is empty.', 'Start the server once; it makes the tables.')
  if (age === 'older')
    return about.warning('leads.db has an older shape.', 'The next start of the server brings it up to date.')
  const leads = sqlite.prepare('select count(*) from leads').pluck().get()
  return about.ok(`leads.db is whole, with ${leads} leads.`)
}

function checkLog(path: string): Finding[] {
  const log = `${path}-wal`
  const bytes = existsSync(log) ? statSync(log).size : 0
  if (bytes < LARGE_LOG_BYTES) return []
  return [
    about.warning(
      `${log} has grown to ${Math.round(bytes / 1e6)} MB.`,
      'Close other programs that hold leads.db open; the server then writes the log back.',
    ),
  ]
}

function checkClock(sqlite: Sqlite.Database, now: Date): Finding {
  const newest = sqlite
    .prepare(
      `select max(at) from (select max(created_at) as at from leads union all select max(at) from outbox_attempts
        union all select value from settings where name = 'last_write_check')`,
    )
    .pluck()
    .get() as string | null
  if (newest && new Date(newest).getTime() - now.getTime() > CLOCK_TOLERANCE_MS)
    return aboutClock.problem(
      `The database was last written at ${newest}, but it is ${now.toISOString()} here.`,
      'One of the two clocks was wrong. Switch on time synchronisation (timedatectl set-ntp true).',
    )
  return aboutClock.ok(`It is ${now.toISOString()} here, and nothing in the database is from the future.`)
}

type Mails = { failed: number; waiting: number; since: string | null; reply: string | null }

function checkMails(sqlite: Sqlite.Database, now: Date): Finding {
  const { failed, waiting, since, reply } = sqlite
    .prepare(
      `select (select count(*) from outbox where state = 'failed' and kind in ('owner_notice', 'digest')) as failed,
        count(*) as waiting, min(queued_at) as since,
        (select response from outbox_attempts where outcome in ('retry', 'failed') order by at desc limit 1) as reply
      from outbox
      where state in ('queued', 'sending') and kind in ('owner_notice', 'digest') and queued_at < ?`,
    )
    .get(new Date(now.getTime() - MAIL_PATIENCE_MS).toISOString()) as Mails
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
