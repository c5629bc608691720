import { randomUUID } from 'node:crypto'
import { lockNames } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { readNote, writeNote } from '../database/settings.ts'
import { type Backlog, createOutboxStore, MAIL_PATIENCE_MS } from '../outbox/outbox-store.ts'
import type { Alert } from './post-alert.ts'

/** What was told last. */
type Told = { isWaiting: boolean; givenUp: number }

const turns: readonly Alert['event'][] = ['mail_waiting', 'mail_flowing']

/** What there is to tell, now that things stand so. Pure. */
export function newEvents(told: Told, { waiting, givenUp }: Backlog, isFlowing: boolean): Alert['event'][] {
  const events: Alert['event'][] = []
  if (givenUp > told.givenUp) events.push('mail_given_up')
  if (waiting > 0 && !told.isWaiting) events.push('mail_waiting')
  // Nothing waits either when all of it was given up.
  if (waiting === 0 && told.isWaiting && isFlowing) events.push('mail_flowing')
  return events
}

type Deps = { db: Database; siteUrl: string; now: () => Date; onQueued: () => void }

/**
 * The second path for when mail is dead: puts an alert into the outbox when mail has waited for 15 minutes or was given
 * up, and one when it flows again. To be called every minute.
 */
export function createMailAlert({ db, siteUrl, now, onQueued }: Deps) {
  return async function alertIfChanged(): Promise<void> {
    const at = now()
    const events = await db.transaction().execute(async (transaction) => {
      await lockNames(transaction, ['alert'])
      const outbox = createOutboxStore(transaction)
      const backlog = await outbox.backlog(new Date(at.getTime() - MAIL_PATIENCE_MS))
      const last: Told = (await readNote<Told>(transaction, 'alerts_told')) ?? {
        isWaiting: false,
        givenUp: 0,
      }
      const events = newEvents(last, backlog, await outbox.isFlowing())
      const isWaiting = backlog.waiting > 0 || (last.isWaiting && !events.includes('mail_flowing'))
      const told: Told = { isWaiting, givenUp: backlog.givenUp }
      if (events.length > 0) {
        const alerts = events.map((event) => describe(event, backlog, siteUrl, at))
        const rows = alerts.map((alert) => ({
          kind: 'alert' as const,
          // The address itself may hold a secret, and stands in the environment.
          recipient: 'ALERT_URL',
          messageId: `<${alert.id}>`,
          content: JSON.stringify(alert),
        }))
        // The two follow each other, in whatever order a webhook that was down would get them.
        if (events.some((event) => turns.includes(event))) await outbox.withdrawAlerts(turns)
        await outbox.enqueue(rows, at)
      }
      if (JSON.stringify(told) !== JSON.stringify(last)) await writeNote(transaction, 'alerts_told', told)
      return events
    })
    if (events.length > 0) onQueued()
  }
}

function describe(
  event: Alert['event'],
  { waiting, oldestAt, givenUp }: Backlog,
  site: string,
  at: Date,
): Alert {
  const minutes = oldestAt ? Math.floor((at.getTime() - Date.parse(oldestAt)) / 60_000) : 0
  const mails = (count: number) => `${count} ${count === 1 ? 'mail' : 'mails'}`
  const texts = {
    mail_waiting: `${mails(waiting)} to the owner cannot be sent, the oldest for ${minutes} minutes. The requests are stored and nothing is lost; the mail server needs a look.`,
    mail_flowing: 'Mail flows again: nothing is waiting any more.',
    mail_given_up: `${mails(givenUp)} to the owner were given up. The requests are stored: "leads list --state failed" names them, "leads resend --failed" sends them again.`,
  }
  return {
    id: randomUUID(),
    event,
    at: at.toISOString(),
    site,
    waiting,
    givenUp,
    text: `${site}: ${texts[event]}`,
  }
}
