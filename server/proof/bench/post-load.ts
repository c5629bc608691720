import autocannon from 'autocannon'
import { contactPath } from '#shared/contact-request.ts'
import { percentile } from '../testing/percentile.ts'
import { samplePost } from './sample-post.ts'

export type PostLoad = { connections: number; amount: number }

// The server closes a connection after 1,000 requests, and autocannon would report a failure.
const RECONNECT_AFTER = 900

/** Posts `amount` different quote requests, each from a different visitor. All must get a 2xx. */
export async function postMany(url: string, { connections, amount }: PostLoad) {
  const setupRequest = (request: autocannon.Request) => ({ ...request, ...samplePost() })
  const milliseconds: number[] = []
  const startedAt = performance.now()
  let endedAt = startedAt

  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>()
  const request = { method: 'POST', path: contactPath, setupRequest } as const
  const options = { url, connections, amount, timeout: 30, reconnectRate: RECONNECT_AFTER }
  autocannon({ ...options, requests: [request] }, (error, result) =>
    error ? reject(error) : resolve(result),
  ).on('response', (_client, _status, _bytes, took) => {
    milliseconds.push(took)
    endedAt = performance.now()
  })
  const { '2xx': succeeded } = await promise
  if (succeeded !== amount) throw new Error(`${url}: ${succeeded} of ${amount} requests got a 2xx`)
  return {
    rate: (amount * 1000) / (endedAt - startedAt),
    p50: percentile(milliseconds, 0.5),
    p99: percentile(milliseconds, 0.99),
  }
}
