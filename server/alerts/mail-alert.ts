import { createHash } from 'node:crypto'
import { count } from '../count.ts'
import type { Database } from '../database/schema.ts'
import { readNote, writeNote } from '../database/settings.ts'
import { type Backlog, isRetryPending, readBacklog } from '../outbox/backlog.ts'
import { type Alert, postAlert } from './post-alert.ts'

type Event = Exclude<Alert['event'], 'test'>

const REPEAT_AFTER_MS = 24 * 60 * 60 * 1000

/** The numbers last reported, and whether the problem persists. */
export type LastAlert = { waiting: number; mailboxes: number; givenUp: number; at: string; isOpen: boolean }

/** While a retry is pending, no recovery is reported, because it isn't known yet whether email works again. */
type Now = Backlog & { isRetryPending: boolean }

const none: LastAlert = { waiting: 0, mailboxes: 0, givenUp: 0, at: '', isOpen: false }

const isOver = (now: Now) => now.waiting === 0 && now.givenUp === 0 && !now.isRetryPending

/** Events to report: a problem started, grew (twice as many emails, or another mailbox), lasted another day, or ended. */
export function eventsToReport(last: LastAlert, now: Now, at: Date): Event[] {
  const age = at.getTime() - Date.parse(last.at)
  // A missing or future time counts as old.
  const isOld = !(age >= 0 && age < REPEAT_AFTER_MS)
  const hasGrown = now.waiting >= 2 * last.waiting || now.mailboxes > last.mailboxes
  const events: Event[] = []
  if (now.givenUp > last.givenUp || (now.givenUp > 0 && isOld)) events.push('mail_given_up')
  if (now.waiting > 0 && (hasGrown || isOld)) events.push('mail_waiting')
  if (last.isOpen && isOver(now)) events.push('mail_flowing')
  return events
}

/**
 * Computes the next `LastAlert`. Keeps the highest numbers of waiting emails and mailboxes until none is waiting, because
 * only growth beyond them is reported.
 */
function nextAlert(last: LastAlert, now: Now, isReported: boolean, at: Date): LastAlert {
  const highest = (before: number, current: number) => {
    if (now.waiting === 0) return 0
    return isReported ? Math.max(before, current) : before
  }
  return {
    waiting: highest(last.waiting, now.waiting),
    mailboxes: highest(last.mailboxes, now.mailboxes),
    givenUp: now.givenUp,
    at: isReported ? at.toISOString() : last.at,
    isOpen: (isReported || last.isOpen) && !isOver(now),
  }
}

type Deps = {
  db: Database
  url: string
  siteUrl: string
  now: () => Date
  /** Emails queued before this time are late. */
  waitingSince: () => Date
}

/**
 * Returns a function that reports email problems to `url`. Call that function every minute: if an alert can't be posted, the
 * next call tries again.
 */
export function createMailAlert({ db, url, siteUrl, now, waitingSince }: Deps) {
  return async function alertIfChanged(signal: AbortSignal): Promise<void> {
    const at = now()
    const last = await readLastAlert(db)
    const backlog = {
      ...withPosts(await readBacklog(db, waitingSince())),
      isRetryPending: last.isOpen && (await isRetryPending(db)),
    }
    const events = eventsToReport(last, backlog, at)
    for (const event of events) await postAlert(url, describe(event, last, backlog, siteUrl, at), signal)
    const next = nextAlert(last, backlog, events.length > 0, at)
    if (JSON.stringify(next) !== JSON.stringify(last)) await writeNote(db, 'alerts_told', next)
  }
}

/** Adds the posts to LEAD_WEBHOOK_URL to the numbers of emails, because the same alerts report both. */
const withPosts = ({ posts, ...emails }: Backlog): Backlog =>
  posts
    ? {
        waiting: emails.waiting + posts.waiting,
        mailboxes: emails.mailboxes + posts.mailboxes,
        oldestAt: [emails.oldestAt, posts.oldestAt].filter((at) => at !== null).sort()[0] ?? null,
        givenUp: emails.givenUp + posts.givenUp,
        posts,
      }
    : emails

/** Fills in the fields that earlier versions didn't store. */
async function readLastAlert(db: Database): Promise<LastAlert> {
  const last = { ...none, ...(await readNote<Partial<LastAlert>>(db, 'alerts_told')) }
  return { ...last, isOpen: last.isOpen || last.waiting > 0 || last.givenUp > 0 }
}

function describe(
  event: Event,
  last: LastAlert,
  { waiting, mailboxes, oldestAt, givenUp, posts }: Backlog,
  site: string,
  at: Date,
): Alert {
  const minutes = oldestAt ? Math.floor((at.getTime() - Date.parse(oldestAt)) / 60_000) : 0
  const emails = { late: waiting - (posts?.waiting ?? 0), lost: givenUp - (posts?.givenUp ?? 0) }
  const boxes = mailboxes - (posts?.mailboxes ?? 0)
  const late = [
    ...(emails.late > 0
      ? [
          `${count(emails.late, 'email')} to the owner can't be sent (${count(boxes, 'mailbox', 'mailboxes')})`,
        ]
      : []),
    ...(posts?.waiting ? [`${count(posts.waiting, 'request')} can't be posted to LEAD_WEBHOOK_URL`] : []),
  ]
  const lost = [
    ...(emails.lost > 0 ? [`${count(emails.lost, 'email')} to the owner`] : []),
    ...(posts?.givenUp ? [`${count(posts.givenUp, 'post')} to LEAD_WEBHOOK_URL`] : []),
  ]
  const texts = {
    mail_waiting: `${late.join('; ')}; the oldest has waited ${count(minutes, 'minute')}. The requests are stored and nothing is lost. Run "doctor" to find out why.`,
    mail_flowing: 'Everything works again: nothing is waiting, and nothing has failed.',
    mail_given_up: `The server gave up on ${lost.join(' and ')}. The requests are stored${emails.lost > 0 ? ': see "leads list --mail failed"' : ''}. To send them again: "leads resend --failed".`,
  }
  return {
    id: createHash('sha256')
      .update(JSON.stringify([event, last, givenUp]))
      .digest('hex')
      .slice(0, 32),
    event,
    at: at.toISOString(),
    site,
    waiting,
    givenUp,
    text: `${site}: ${texts[event]}`,
  }
}
