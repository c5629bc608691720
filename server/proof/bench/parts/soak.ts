import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { contactPath } from '#shared/contact-request.ts'
import { MAX_CLIENTS } from '../../../http/flood-limit.ts'
import { median } from '../../testing/percentile.ts'
import { openRelay } from '../../testing/relay.ts'
import type { Options, Row } from '../row.ts'
import { newAddress } from '../sample-post.ts'
import { openSubject } from '../subject.ts'

const SAMPLES = 20
const POSTS = 200
// More would be a crowd, so fewer emails would be sent meanwhile: see leads/crowd.ts.
const CONNECTIONS = 8

/** Samples the memory twenty times under constant load, while emails are being sent. */
export async function* measure({ minutes }: Options): AsyncIterable<Row> {
  await using relay = await openRelay()
  const sample: number[] = []
  {
    await using program = await openSubject({ SMTP_URL: relay.url })
    // Warm up, so that compiled code and a full rate limiter don't look like a leak.
    await program.measure(fillLimiter)
    await program.post({ connections: CONNECTIONS, amount: 10_000 })
    for (let count = 0; count < SAMPLES; count++) {
      const until = performance.now() + (minutes * 60_000) / SAMPLES
      while (performance.now() < until) {
        await program.post({ connections: CONNECTIONS, amount: POSTS })
        await program.measure(() => sleep(500))
      }
      sample.push(program.residentMb())
    }
  }
  const fifth = SAMPLES / 5
  yield {
    figure: `memory in the last fifth of ${minutes} minutes of POSTs (RSS)`,
    unit: 'MB',
    ours: median(sample.slice(-fifth)),
    baseline: { name: 'in the first fifth', value: median(sample.slice(0, fifth)) },
    target: { atMost: 1.1 },
  }
}

/** Sends requests with a content type that is rejected, until the rate limiter remembers as many addresses as it can. */
async function fillLimiter(url: string) {
  const setupRequest = (request: autocannon.Request) => ({
    ...request,
    headers: { 'content-type': 'text/plain', 'x-forwarded-for': newAddress() },
  })
  const request = { method: 'POST', path: contactPath, body: '-', setupRequest } as const
  const { '4xx': rejected } = await autocannon({
    url,
    connections: 64,
    amount: MAX_CLIENTS,
    timeout: 30,
    requests: [request],
  })
  if (rejected !== MAX_CLIENTS) throw new Error(`${rejected} of ${MAX_CLIENTS} requests were rejected`)
}
