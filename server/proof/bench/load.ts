import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import autocannon from 'autocannon'
import { contactPath } from '#shared/contact-request.ts'
import { percentile } from '../testing/percentile.ts'
import { sampleRequest } from '../testing/sample-request.ts'

export type Load = { connections: number; amount: number }

// The server closes a connection after 100 requests. The baselines get new connections as often.
const REQUESTS_PER_CONNECTION = 99

const acceptEncoding = 'br, gzip'

let visitors = 0

/** A quote request that differs from all others, from a different visitor each time. */
function samplePost() {
  visitors++
  const address = `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`
  return {
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    // The messages differ from the first letter on, as real messages do, and so do the addresses.
    body: JSON.stringify(
      sampleRequest({
        email: `ada@business-${visitors}.example`,
        message: `${randomUUID()} is what we would like to build.`,
      }),
    ),
  }
}

/** Posts `amount` different quote requests, each from a different visitor. All must get a 2xx. */
export async function postMany(url: string, { connections, amount }: Load) {
  const milliseconds: number[] = []
  const most = connections * REQUESTS_PER_CONNECTION
  let totalMs = 0
  for (let left = amount; left > 0; left -= most)
    totalMs += await postSome(url, { connections, amount: Math.min(left, most) }, milliseconds)
  const [p50, p99] = [percentile(milliseconds, 0.5), percentile(milliseconds, 0.99)]
  return { rate: (amount * 1000) / totalMs, p50, p99 }
}

/**
 * Opens new connections, and posts without closing them: autocannon reports a closed connection as
 * a failure. Adds the time of each request to `milliseconds`, and returns the time of all.
 */
async function postSome(url: string, load: Load, milliseconds: number[]): Promise<number> {
  const setupRequest = (request: autocannon.Request) => ({ ...request, ...samplePost() })
  const requests = [{ method: 'POST', path: contactPath, setupRequest } as const]
  const startedAt = performance.now()
  let endedAt = startedAt
  const posting = autocannon({ url, ...load, timeout: 30, requests }, () => {})
  posting.on('response', (_client, _status, _bytes, took) => {
    milliseconds.push(took)
    endedAt = performance.now()
  })
  const [result] = (await once(posting, 'done')) as [autocannon.Result]
  if (result['2xx'] !== load.amount)
    throw new Error(`${url}: ${result['2xx']} of ${load.amount} requests got a 2xx`)
  return endedAt - startedAt
}

/**
 * Gets one compressed response. Returns its body, its size on the wire, and its headers except
 * those that Node.js adds.
 */
export async function getResponse(url: string) {
  const agent = new Agent({ keepAlive: true })
  const { sent, response, body } = await exchange(url, {
    agent,
    headers: { 'accept-encoding': acceptEncoding },
  })
  const { date, connection, 'keep-alive': keepAlive, ...headers } = response.headers
  const bytes = sent.socket?.bytesRead ?? 0
  agent.destroy()
  return { headers, body: body.toString('base64'), bytes }
}

/**
 * Gets a URL `amount` times and only counts the bytes. A load generator such as autocannon also
 * parses each response. That takes twice as long as our server needs to send it, so we would
 * measure autocannon instead of our server. Returns the rate.
 */
export async function getMany(url: string, { connections, amount }: Load): Promise<number> {
  const { hostname, port, host, pathname } = new URL(url)
  const { bytes } = await getResponse(url)
  const request = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: ${acceptEncoding}\r\n\r\n`
  let left = amount
  const talk = () =>
    new Promise<void>((done, fail) => {
      const socket = connect(Number(port), hostname)
      let missingBytes = 0
      let sent = 0
      const next = () => {
        if (left === 0 || sent === REQUESTS_PER_CONNECTION) return socket.end(done)
        left--
        sent++
        missingBytes = bytes
        return socket.write(request)
      }
      socket.on('connect', next).on('error', fail)
      socket.on('close', () => fail(new Error(`${url} closed the connection`)))
      socket.on('data', (chunk) => {
        missingBytes -= chunk.length
        if (missingBytes < 0) fail(new Error(`${url} sent a different number of bytes than before`))
        if (missingBytes === 0) next()
      })
    })
  const talkUntilDone = async () => {
    while (left > 0) await talk()
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: connections }, talkUntilDone))
  return (amount * 1000) / (performance.now() - startedAt)
}

/**
 * Gets a page on a new connection. Returns the milliseconds until the whole response has arrived.
 */
export const getOnce = (url: string) =>
  timeVisit(url, { headers: { 'accept-encoding': acceptEncoding }, agent: false })

/** Posts one quote request, by default on a new connection. Returns the same. */
export function postOnce(url: string, agent: Agent | false = false): Promise<number> {
  const { body, headers } = samplePost()
  return timeVisit(url + contactPath, { method: 'POST', headers, agent }, body)
}

async function timeVisit(url: string, options: RequestOptions, body?: string): Promise<number> {
  const startedAt = performance.now()
  const { response } = await exchange(url, options, body)
  const took = performance.now() - startedAt
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`)
  return took
}

async function exchange(url: string, options: RequestOptions, content?: string) {
  const sent = request(url, options).end(content)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { sent, response, body: await buffer(response) }
}
