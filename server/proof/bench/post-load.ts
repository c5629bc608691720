import autocannon from 'autocannon'
import { contactPath } from '#shared/contact-request.ts'
import { percentile } from '../testing/percentile.ts'
import { samplePost } from './sample-post.ts'

export type PostLoad = { connections: number; amount: number }

// The server closes a connection after 1,000 requests, which autocannon reports as a failure. So it starts again before that.
const MAX_PER_CONNECTION = 900

/** Posts `amount` different quote requests, each from a different visitor. All must get a 2xx. */
export async function postMany(url: string, { connections, amount }: PostLoad) {
  const milliseconds: number[] = []
  let seconds = 0
  let succeeded = 0
  for (let left = amount; left > 0; left -= connections * MAX_PER_CONNECTION) {
    const startedAt = performance.now()
    let endedAt = startedAt
    const load = { connections, amount: Math.min(left, connections * MAX_PER_CONNECTION) }
    const result = await post(url, load, (took) => {
      milliseconds.push(took)
      endedAt = performance.now()
    })
    seconds += (endedAt - startedAt) / 1000
    succeeded += result['2xx']
  }
  if (succeeded !== amount) throw new Error(`${url}: ${succeeded} of ${amount} requests got a 2xx`)
  return {
    rate: amount / seconds,
    p50: percentile(milliseconds, 0.5),
    p99: percentile(milliseconds, 0.99),
  }
}

function post(url: string, load: PostLoad, onResponse: (milliseconds: number) => void) {
  const setupRequest = (request: autocannon.Request) => ({ ...request, ...samplePost() })
  const requests = [{ method: 'POST', path: contactPath, setupRequest } as const]
  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>()
  autocannon({ url, ...load, timeout: 30, requests }, (error, result) =>
    error ? reject(error) : resolve(result),
  ).on('response', (_client, _status, _bytes, took) => onResponse(took))
  return promise
}
