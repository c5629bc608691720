import { createHash } from 'node:crypto'
import { count } from '../count.ts'
import type { Database } from '../database/schema.ts'
import { readNote, writeNote } from '../database/settings.ts'
import { type Backlog, isRetryPending, readBacklog } from '../outbox/backlog.ts'
import { type Alert, postAlert } from './post-alert.ts'

type Event = Exclude<Alert['event'], 'test'>

const AGAIN_AFTER_MS = 24 * 60 * 60 * 1000

/** The last alert, and whether its trouble is still open. */
export type LastAlert = { waiting: number; mailboxes: number; givenUp: number; at: string; isOpen: boolean }

/** The backlog, and whether a failed email is still unsent: until it is sent, nothing proves that email works again. */
type Now = Backlog & { isRetryPending: boolean }

const nothing: LastAlert = { waiting: 0, mailboxes: 0, givenUp: 0, at: '', isOpen: false }

const isOver = (now: Now) => now.waiting === 0 && now.givenUp === 0 && !now.isRetryPending

/** Events to report: trouble started, grew (twice the emails, another mailbox), lasted another day, or ended. Pure. */
export function eventsToReport(told: LastAlert, now: Now, at: Date): Event[] {
  const age = at.getTime() - Date.parse(told.at)
  // A missing or future time counts as old.
  const isOld = !(age >= 0 && age < AGAIN_AFTER_MS)
  const hasGrown = now.waiting >= 2 * told.waiting || now.mailboxes > told.mailboxes
  const events: Event[] = []
  if (now.givenUp > told.givenUp || (now.givenUp > 0 && isOld)) events.push('mail_given_up')
  if (now.waiting > 0 && (hasGrown || isOld)) events.push('mail_waiting')
  if (told.isOpen && isOver(now)) events.push('mail_flowing')
  return events
}

/** What to remember: during trouble, the highest numbers reported. Pure. */
function remember(told: LastAlert, now: Now, events: readonly string[], at: Date): LastAlert {
  const isTold = events.length > 0
  const isOpen = (isTold || told.isOpen) && !isOver(now)
  const kept = { givenUp: now.givenUp, at: isTold ? at.toISOString() : told.at, isOpen }
  if (now.waiting === 0) return { ...nothing, ...kept }
  return {
    waiting: isTold ? Math.max(told.waiting, now.waiting) : told.waiting,
    mailboxes: isTold ? Math.max(told.mailboxes, now.mailboxes) : told.mailboxes,
    ...kept,
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
 * Reports problems with email to a webhook. Call it every minute. If the webhook fails, the next call reports the situation
 * at that time.
 */
export function createMailAlert({ db, url, siteUrl, now, waitingSince }: Deps) {
  return async function alertIfChanged(signal: AbortSignal): Promise<void> {
    const at = now()
    const told = await readTold(db)
    const backlog = {
      ...(await readBacklog(db, waitingSince())),
      isRetryPending: told.isOpen && (await isRetryPending(db)),
    }
    const events = eventsToReport(told, backlog, at)
    for (const event of events) await postAlert(url, describe(event, told, backlog, siteUrl, at), signal)
    const next = remember(told, backlog, events, at)
    if (JSON.stringify(next) !== JSON.stringify(told)) await writeNote(db, 'alerts_told', next)
  }
}

/** Earlier versions stored fewer fields. */
async function readTold(db: Database): Promise<LastAlert> {
  const note = { ...nothing, ...(await readNote<Partial<LastAlert>>(db, 'alerts_told')) }
  return { ...note, isOpen: note.isOpen || note.waiting > 0 || note.givenUp > 0 }
}

function describe(
  event: Event,
  told: LastAlert,
  { waiting, mailboxes, oldestAt, givenUp }: Backlog,
  site: string,
  at: Date,
): Alert {
  const minutes = oldestAt ? Math.floor((at.getTime() - Date.parse(oldestAt)) / 60_000) : 0
  const texts = {
    mail_waiting: `${count(waiting, 'email')} to the owner can't be sent (${count(mailboxes, 'mailbox', 'mailboxes')}); the oldest has waited ${count(minutes, 'minute')}. The requests are stored and nothing is lost. Run "doctor" to find out why.`,
    mail_flowing: 'Email is working again: nothing is waiting and nothing is given up.',
    mail_given_up: `${count(givenUp, 'email to the owner was', 'emails to the owner were')} given up. The requests are stored: see "leads list --state failed", and send the emails again with "leads resend --failed".`,
  }
  return {
    id: createHash('sha256')
      .update(JSON.stringify([event, told, givenUp]))
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
