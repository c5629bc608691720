import { errorFacts } from '../error-facts.ts'

/** The webhook's payload. No personal data: it may end up in a chat room. */
export type Alert = {
  /** The same in every attempt, so that the receiver can recognize duplicates. */
  id: string
  event: 'mail_waiting' | 'mail_flowing' | 'mail_given_up' | 'test'
  at: string
  site: string
  /** Emails to the owner that were late or rejected at that time, and those given up. */
  waiting: number
  givenUp: number
  /** The same as a sentence, in the field that Slack, Mattermost and others show. */
  text: string
}

const TIMEOUT_MS = 10_000

/** Posts the alert as JSON. Rejects unless the response is a 2xx. */
export async function postAlert(url: string, alert: Alert, signal: AbortSignal): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': alert.id },
    body: JSON.stringify(alert),
    // Following redirects would let the webhook send our requests anywhere.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch((error: unknown) => {
    // "fetch failed" says nothing; its cause does.
    throw errorFacts(error).cause ?? error
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`ALERT_URL responded with ${response.status} ${response.statusText}`)
}
