import { median, percentile99 } from '../../testing/percentile.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'

const BLOCKS = 5
const POSTS_A_BLOCK = 400
const MAX_P99_RATIO = 1.1

export const latency: FaultCase = {
  family: 'relay',
  fault: 'POSTs alternate between a server with a silent mail server and one with a working mail server',
  expected: `the silent mail server makes the p99 response time at most ${MAX_P99_RATIO} times as long (median of ${BLOCKS} blocks)`,
  isLong: true,
  runsAlone: true,
  async run() {
    await using healthy = await openHarness()
    await using silent = await openHarness()
    silent.relay.misbehave('connect', () => undefined)
    const urls = [(await healthy.start()).url, (await silent.start()).url] as const
    const blocks: [number, number][] = []
    for (let block = -1; block < BLOCKS; block++) {
      const times = await alternate(healthy, silent, urls, POSTS_A_BLOCK)
      // Skip the first block, which warms up both servers.
      if (block >= 0) blocks.push([percentile99(times[0]), percentile99(times[1])])
    }
    const healthyMs = median(blocks.map(([ms]) => ms))
    const silentMs = median(blocks.map(([, ms]) => ms))
    const ratio = median(blocks.map(([healthyMs, silentMs]) => silentMs / healthyMs))
    const seen = `${healthyMs.toFixed(1)} ms healthy, ${silentMs.toFixed(1)} ms silent, ratio ${ratio.toFixed(2)}`
    expectThat(ratio <= MAX_P99_RATIO, seen)
    return seen
  },
}

async function alternate(
  healthy: Harness,
  silent: Harness,
  [first, second]: readonly [string, string],
  posts: number,
) {
  const times: [number[], number[]] = [[], []]
  for (let count = 0; count < posts; count++) {
    const askHealthy = async () => times[0].push(await timeOf(healthy, first))
    const askSilent = async () => times[1].push(await timeOf(silent, second))
    // Alternate the order, because the second POST is slowed down by the email that the first one causes.
    for (const ask of count % 2 === 0 ? [askHealthy, askSilent] : [askSilent, askHealthy]) await ask()
  }
  return times
}

async function timeOf(harness: Harness, url: string): Promise<number> {
  const startedAt = performance.now()
  const { statuses } = await harness.client.post(url)
  expectThat(statuses[0] === 200, `response ${statuses[0]}`)
  return performance.now() - startedAt
}
