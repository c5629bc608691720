import { randomUUID } from 'node:crypto'
import { postAlert } from '../alerts/post-alert.ts'
import { type Finding, findingsAbout } from './finding.ts'
import { connectTo, describeNetworkError } from './network.ts'

const about = findingsAbout('alerts')

const TIMEOUT_MS = 10_000

/**
 * Checks that the webhook can be reached. Sends no request, because some services treat every request as an alarm or a
 * heartbeat.
 */
export async function checkAlertUrl(url: string | undefined): Promise<Finding> {
  if (!url)
    return about.ok(
      'ALERT_URL is not set: if email stops working, only /healthz/mail, the log and this command report it.',
    )
  const { host } = new URL(url)
  try {
    await connectTo(new URL(url))
    return about.ok(`${host} can be reached. To test it: doctor --send`)
  } catch (error) {
    return about.problem(`${host} cannot be reached: ${describeNetworkError(error)}.`, advice)
  }
}

export async function sendTestAlert(url: string, siteUrl: string, now: Date): Promise<Finding> {
  // Findings contain only the host: the rest of the URL is a secret.
  const { host } = new URL(url)
  const text = `${siteUrl}: This is a test from "doctor --send". Alerts about email will arrive here.`
  const alert = { id: randomUUID(), event: 'test', at: now.toISOString(), site: siteUrl } as const
  try {
    await postAlert(url, { ...alert, waiting: 0, givenUp: 0, text }, AbortSignal.timeout(TIMEOUT_MS))
    return about.ok(`${host} accepted a test alert. Check that it arrived.`)
  } catch (error) {
    return about.problem(`${host} did not accept a test alert: ${describeNetworkError(error)}.`, advice)
  }
}

const advice = 'Check ALERT_URL, and whether a firewall blocks the connection.'
