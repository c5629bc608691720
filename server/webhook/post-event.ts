import { Webhook } from 'standardwebhooks'
import { startDeadline } from '../deadline.ts'
import { errorFacts } from '../error-facts.ts'

const TIMEOUT_MS = 15_000
const MAX_READ_BYTES = 1_000
const MAX_QUOTED = 200

/** Where to post events, and the secret that signs them. */
export type Receiver = { url: string; secret: string }

/** The part of the URL that may be shown: the rest can contain a password or a token. */
export const hostOf = (url: string): string => new URL(url).host

/** `id` is the same in every attempt, so that the receiver can ignore duplicates. */
export type SignedEvent = { id: string; body: string; at: Date }

/**
 * Posts an event, signed according to Standard Webhooks, and returns the receiver's reply. Rejects if the reply's status
 * isn't a 2xx, if there is no reply after 15 s, or if `signal` aborts.
 */
export async function postEvent(
  { url, secret }: Receiver,
  event: SignedEvent,
  signal: AbortSignal,
): Promise<string> {
  const { id, body, at } = event
  const { address, login } = splitLogin(url)
  using deadline = startDeadline(TIMEOUT_MS, 'The receiver did not respond in time.', signal)
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      ...login,
      'Content-Type': 'application/json',
      'User-Agent': 'lead-webhook',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    },
    body,
    // Following a redirect would send the lead to a host that nobody has configured.
    redirect: 'manual',
    signal: deadline.signal,
  }).catch((error: unknown) => {
    // The error itself only says "fetch failed".
    throw errorFacts(error).cause ?? error
  })
  const status = `${response.status} ${oneLine(response.statusText)}`
  const reply = [status.trim(), oneLine(await readBeginning(response))]
  const words = reply.filter(Boolean).join(': ')
  if (response.ok) return words
  throw Object.assign(new Error(words), { code: 'HTTP', responseCode: response.status, response: words })
}

/** Fetch rejects URLs that contain a login. */
function splitLogin(url: string) {
  const address = new URL(url)
  const pair = [address.username, address.password].map(decodeURIComponent).join(':')
  address.username = address.password = ''
  return {
    address,
    login: pair !== ':' && { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
  }
}

/** The beginning of the body. The rest is not read. */
async function readBeginning({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of body ?? []) if (chunks.push(chunk) && sizeOf(chunks) > MAX_READ_BYTES) break
  } catch {
    // Only the status matters, and that has already arrived.
  }
  return Buffer.concat(chunks).subarray(0, MAX_READ_BYTES).toString()
}

/** The receiver's words, safe for a terminal. */
const oneLine = (words: string) =>
  words
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, MAX_QUOTED)
    .toWellFormed()

const sizeOf = (chunks: readonly Uint8Array[]) => chunks.reduce((sum, { length }) => sum + length, 0)
