import { randomUUID } from 'node:crypto'
import { hostOf, postEvent, type Receiver } from '../webhook/post-event.ts'
import { type Finding, findingsAbout } from './finding.ts'
import { oneLine } from './mail-server.ts'
import { connectTo, describeNetworkError, isNearby } from './network.ts'

const about = findingsAbout('lead webhook')

const TIMEOUT_MS = 20_000

/** Checks that the webhook can be reached. If `shouldSend`, posts a signed test event, which is not a lead. */
export async function checkLeadWebhook(
  receiver: Receiver | undefined,
  now: Date,
  shouldSend = false,
): Promise<Finding | Finding[]> {
  if (!receiver) return about.ok('LEAD_WEBHOOK_URL is not set: leads are not posted to another program.')
  // Findings contain only the host: the rest of the URL can contain a password or a token.
  const host = hostOf(receiver.url)
  const plain = about.warning(
    `Leads are sent to ${host} unencrypted.`,
    'Use https:// in LEAD_WEBHOOK_URL, unless that host is in your own network.',
  )
  try {
    const seen = shouldSend ? await sendTest(receiver, host, now) : await connect(receiver, host)
    const { protocol, hostname } = new URL(receiver.url)
    return [about.ok(seen), ...(protocol === 'http:' && !isNearby(hostname) ? [plain] : [])]
  } catch (error) {
    const action = shouldSend ? 'did not accept a test' : 'cannot be reached'
    return about.problem(
      `${host} ${action}: ${oneLine(describeNetworkError(error))}.`,
      'Check LEAD_WEBHOOK_URL, the log of the other program, and whether a firewall blocks the connection. Leads wait in the queue for five days.',
    )
  }
}

async function connect({ url }: Receiver, host: string): Promise<string> {
  await connectTo(new URL(url))
  return `${host} can be reached. To send it a signed test: doctor --send`
}

async function sendTest(receiver: Receiver, host: string, now: Date): Promise<string> {
  const text = 'A test from "doctor --send".'
  const body = { type: 'webhook.test', version: 1, text, timestamp: now.toISOString(), data: {} }
  const event = { id: `test_${randomUUID()}`, body: JSON.stringify(body), at: now }
  const reply = await postEvent(receiver, event, AbortSignal.timeout(TIMEOUT_MS))
  return `${host} accepted a signed test (${reply}).`
}
