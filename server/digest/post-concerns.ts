import { count } from '../count.ts'
import type { DigestFacts } from './digest-facts.ts'
import { duration } from './duration.ts'

/** Finds problems with posting leads to another program. */
export function findPostConcerns({ until, backlog }: Pick<DigestFacts, 'until' | 'backlog'>): string[] {
  const { waiting = 0, oldestAt = null, givenUp = 0 } = backlog.webhook ?? {}
  const concerns: string[] = []
  if (waiting > 0 && oldestAt)
    concerns.push(
      `${count(waiting, 'request')} cannot be posted to LEAD_WEBHOOK_URL; the oldest has been waiting for ${duration(Date.parse(until) - Date.parse(oldestAt))}. Run "doctor" to find out why.`,
    )
  if (givenUp > 0)
    concerns.push(
      `The server gave up on posting ${count(givenUp, 'request')} to LEAD_WEBHOOK_URL. To post ${givenUp === 1 ? 'it' : 'them'} again: "leads resend --failed".`,
    )
  return concerns
}
