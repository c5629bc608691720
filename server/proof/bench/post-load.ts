import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import { contactPath } from '#shared/contact-request.ts'
import { percentile } from '../testing/percentile.ts'
import { sampleRequest } from '../testing/sample-request.ts'

export type PostLoad = { connections: number; amount: number }

let visitors = 0

/** Posts `amount` different quote requests, each from a different visitor. All must get a 2xx. */
export async function postMany(url: string, { connections, amount }: PostLoad) {
  const setupRequest = (request: autocannon.Request) => ({
    ...request,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': newAddress() },
    // Like real messages, these differ from the first letter on.
    body: JSON.stringify(sampleRequest({ message: `${randomUUID()} is what we would like to build.` })),
  })
  const milliseconds: number[] = []
  const startedAt = performance.now()
  let endedAt = startedAt

  const { promise, resolve, reject } = Promise.withResolvers<autocannon.Result>()
  const request = { method: 'POST', path: contactPath, setupRequest } as const
  autocannon({ url, connections, amount, timeout: 30, requests: [request] }, (error, result) =>
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

function newAddress(): string {
  visitors++
  return `10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`
}
