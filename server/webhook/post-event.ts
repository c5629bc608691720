import { once } from 'node:events'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Webhook } from 'standardwebhooks'
import { startDeadline } from '../deadline.ts'

const TIMEOUT_MS = 15_000
const MAX_READ_BYTES = 1_000
const MAX_QUOTED = 200
// The receiver has handled the event, and its answer is on another page: Google Apps Script responds like this. The other
// redirects (301, 307, 308) say that the event must be posted to another URL, so it hasn't been handled.
const SEE_OTHER = [302, 303]

/** Where to post events, and the secret that signs them. */
export type Receiver = { url: string; secret: string }

/** The part of the URL that may be shown: the rest can contain a password or a token. */
export const hostOf = (url: string): string => new URL(url).host

/** `id` is the same in every attempt, so that the receiver can ignore duplicates. */
export type SignedEvent = { id: string; body: string; at: Date }

/**
 * Posts an event, signed according to Standard Webhooks, and returns the receiver's reply. Rejects if the reply's status
 * isn't a 2xx, 302, or 303, if there is no reply after 15 s, or if `signal` aborts. Follows no redirects, because they could
 * send the lead to a host that nobody has configured. Doesn't use `fetch`, because that would take 20 MB of memory.
 */
export async function postEvent(
  { url, secret }: Receiver,
  event: SignedEvent,
  signal: AbortSignal,
): Promise<string> {
  const { id, body, at } = event
  using deadline = startDeadline(TIMEOUT_MS, 'The receiver did not respond in time.', signal)
  const response = await send(url, body, deadline.signal, {
    'Content-Type': 'application/json',
    'User-Agent': 'lead-webhook',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  })
  const { statusCode = 0, statusMessage = '' } = response
  const status = `${statusCode} ${oneLine(statusMessage)}`
  const reply = [status.trim(), oneLine(await readBeginning(response))]
  const words = reply.filter(Boolean).join(': ')
  if ((statusCode >= 200 && statusCode < 300) || SEE_OTHER.includes(statusCode)) return words
  throw Object.assign(new Error(words), { code: 'HTTP', responseCode: statusCode, response: words })
}

/** Sends the request and waits for a response. A login in the URL becomes an `Authorization` header. */
async function send(url: string, body: string, signal: AbortSignal, headers: Record<string, string>) {
  const request = new URL(url).protocol === 'https:' ? requestHttps : requestHttp
  const length = { 'Content-Length': Buffer.byteLength(body) }
  // Each event gets its own connection: the receiver might close an idle connection just as it's about to be used again.
  const sent = request(url, { method: 'POST', headers: { ...headers, ...length }, signal, agent: false })
  try {
    const [response] = (await once(sent.end(body), 'response', { signal })) as [IncomingMessage]
    return response
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  }
}

/** The beginning of the body. The rest is not read. */
async function readBeginning(response: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of response) if (chunks.push(chunk) && sizeOf(chunks) > MAX_READ_BYTES) break
  } catch {
    // Only the status matters, and that has already arrived.
  }
  return Buffer.concat(chunks).subarray(0, MAX_READ_BYTES).toString()
}

/** The receiver's words on one line, without characters that could control a terminal. */
const oneLine = (words: string) =>
  words
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, MAX_QUOTED)
    .toWellFormed()

const sizeOf = (chunks: readonly Uint8Array[]) => chunks.reduce((sum, { length }) => sum + length, 0)
