import { errorFacts } from '../error-facts.ts'

/** The webhook's payload. It contains no personal data, because it may end up in a chat room. */
export type Alert = {
  /** The same in every attempt, so that the receiver can ignore duplicates. */
  id: string
  event: 'mail_waiting' | 'mail_flowing' | 'mail_given_up' | 'test'
  at: string
  site: string
  /** The number of late or rejected emails to the owner and late posts to LEAD_WEBHOOK_URL. */
  waiting: number
  givenUp: number
  /** A summary, in the field that Slack, Mattermost and others display. */
  text: string
}

const TIMEOUT_MS = 10_000

/** Posts the alert as JSON. Rejects unless the response is a 2xx. */
export async function postAlert(url: string, alert: Alert, signal: AbortSignal): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': alert.id },
    body: JSON.stringify(alert),
    // If redirects were followed, the webhook could send our requests to any host.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch((error: unknown) => {
    // Throws the cause, because the error itself only says "fetch failed".
    throw errorFacts(error).cause ?? error
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`ALERT_URL responded with ${response.status} ${response.statusText}`)
}
