/** What the webhook is told. No personal data: it may lead to a chat room. */
export type Alert = {
  /** The same in every attempt, so that the receiver can recognize a repeated one. */
  id: string
  event: 'mail_waiting' | 'mail_flowing' | 'mail_given_up' | 'test'
  at: string
  site: string
  /** Emails to the owner that are held up or refused, and those given up, at that time. */
  waiting: number
  givenUp: number
  /** The same in a sentence; Slack, Mattermost and others show this member. */
  text: string
}

const TIMEOUT_MS = 10_000

/** Posts the alert as JSON. Rejects on anything but a 2xx. */
export async function postAlert(url: string, alert: Alert, signal: AbortSignal): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': alert.id },
    body: JSON.stringify(alert),
    // A webhook that has moved is for the operator to follow, not for a server to be led around by.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch((error: unknown) => {
    // "fetch failed" says nothing; its cause does.
    throw Object(error).cause ?? error
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`ALERT_URL answered ${response.status} ${response.statusText}`)
}
