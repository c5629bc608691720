import { DAY_MS, startOfDay, weekDayOf } from '#shared/time-zone.ts'
import { lockNames } from '../database/differences.ts'
import { readNote, writeNote } from '../database/settings.ts'
import { officeClock } from '../leads/office-time.ts'
import type { MailAddress } from '../mail/mailer.ts'
import { domainOf } from '../outbox/email.ts'
import { enqueue } from '../outbox/enqueue.ts'
import { findConcerns } from './concerns.ts'
import { type FactDeps, gatherFacts } from './digest-facts.ts'

// 7 a.m. in the office's time zone.
const DUE_MS = 7 * 60 * 60 * 1000
// Even after a long downtime, or if the clock once showed 1970, a digest covers only the last month.
const MAX_LOOK_BACK_MS = 31 * DAY_MS

/** When the last weekly and the last daily digest were due. */
export function lastDue(now: Date): { weekly: Date; daily: Date } {
  const due = (wall: number) => new Date(officeClock.fromWall(wall))
  const today = startOfDay(officeClock.toWall(now.getTime())) + DUE_MS
  const daily = due(today) <= now ? today : today - DAY_MS
  return { weekly: due(daily - weekDayOf(daily) * DAY_MS), daily: due(daily) }
}

type Deps = FactDeps & {
  mailFrom: MailAddress
  mailTo: readonly string[]
  now: () => Date
  onQueued: () => void
}

/**
 * Creates a function, to be called every minute, that queues the owner's digest when it is due: each Monday, and each day
 * while action is needed. After downtime, it queues only one digest.
 */
export function createOwnerDigest({ mailFrom, mailTo, now, onQueued, ...deps }: Deps) {
  const domain = domainOf(mailFrom)

  return async function sendDigestIfDue(): Promise<void> {
    const at = now()
    const noted = await readNote<string>(deps.db, 'digest_sent_at')
    const last = noted === undefined ? undefined : new Date(noted)
    // A new installation has nothing to report yet, and a future or invalid time comes from an error: start from now.
    if (!last || !(last <= at)) {
      await writeNote(deps.db, 'digest_sent_at', at.toISOString())
      return
    }
    const { weekly, daily } = lastDue(at)
    if (last >= daily) return
    const since = new Date(Math.max(last.getTime(), at.getTime() - MAX_LOOK_BACK_MS))
    const facts = await gatherFacts(deps, since, at)
    if (last >= weekly && findConcerns(facts).length === 0) return

    const isQueued = await deps.db.transaction().execute(async (transaction) => {
      // If this replica froze for minutes, another one may have run this job and queued the digest.
      await lockNames(transaction, ['digest'])
      if ((await readNote<string>(transaction, 'digest_sent_at')) !== noted) return false
      const emails = mailTo.map((recipient, index) => ({
        kind: 'digest' as const,
        recipient,
        messageId: `<digest-${at.getTime()}.${index}@${domain}>`,
        content: JSON.stringify(facts),
      }))
      await enqueue(transaction, emails, at)
      await writeNote(transaction, 'digest_sent_at', at.toISOString())
      return true
    })
    if (isQueued) onQueued()
  }
}
