/** What the webhook is told. No personal data: it may lead to a chat room. */
export type Alert = {
  /** The same in every attempt, so that the receiver can tell a repeated one. */
  id: string
  event: 'mail_waiting' | 'mail_flowing' | 'mail_given_up'
  at: string
  site: string
  /** Mails to the owner that have been waiting for more than 15 minutes, and those given up on, at that time. */
  waiting: number
  givenUp: number
  /** The same in a sentence; Slack, Mattermost and others show this member. */
  text: string
}

const TIMEOUT_MS = 10_000

/** Posts the alert as JSON and returns the answer's status line. Rejects on anything but a 2xx. */
export async function postAlert(url: string | undefined, alert: Alert, signal: AbortSignal): Promise<string> {
  if (!url) throw new Error('ALERT_URL is not set any more')
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': alert.id },
    body: JSON.stringify(alert),
    // A webhook that moves is for the operator to follow, not for a server to be led about by.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch((error: unknown) => {
    // "fetch failed" says nothing; its cause does.
    throw Object(error).cause ?? error
  })
  await response.body?.cancel()
  const status = `${response.status} ${response.statusText}`
  if (!response.ok)
    throw Object.assign(new Error(`ALERT_URL answered ${status}`), { code: `HTTP_${response.status}` })
  return status
}
