import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../testing/free-port.ts'
import { createDatabase, type TestPostgres } from '../../testing/postgres.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { dropAll } from '../drop-packets.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'
import { ownPostgres } from '../postgres-server.ts'

// A case drops all packets to and from this loopback address, which nothing else uses.
const DROPPING_HOST = '127.66.66.68'
const PARALLEL = 40
// After this long, some requests are in a transaction.
const IN_TRANSACTION_MS = 60
// The server must respond before the page stops waiting, which it does after 10 s.
const MAX_RESPONSE_MS = 9_000
const VISITORS = 6
const OUTAGE_MS = 10_000
const LOAD_MS = 700
// Includes the time that PostgreSQL needs to recover.
const RECOVERY_MS = 10_000

export const postgresCases: FaultCase[] = [
  ...(['fast', 'immediate'] as const).map(
    (how): FaultCase => ({
      family: 'PostgreSQL',
      fault: `${how === 'fast' ? 'stopped' : 'crashed'} under load, then down for ${OUTAGE_MS / 1000} s`,
      expected:
        '503 and not ready during the outage, but pages are served; recovery without a restart; nothing is lost',
      needs: ['postgres'],
      run: () => stopUnderLoad(how),
    }),
  ),
  {
    family: 'PostgreSQL',
    fault: `the network drops every packet during ${PARALLEL} requests`,
    expected: `each response is 200 or 503 within ${MAX_RESPONSE_MS / 1000} s; no restart is needed, and nothing is lost`,
    needs: ['postgres', 'firewall'],
    run: dropPackets,
  },
]

async function stopUnderLoad(how: Parameters<TestPostgres['stop']>[0]): Promise<string> {
  await using server = await ownPostgres()
  const url = await createDatabase(server.urlOf('postgres'), 'leads')
  await using harness = await openHarness({ database: 'postgres', url })
  const program = await harness.start()
  const { client } = harness
  const statuses = () => client.entries.flatMap((entry) => entry.statuses)
  const load = client.visit(() => program.url, VISITORS)
  await sleep(LOAD_MS)

  await server.stop(how)
  await sleep(OUTAGE_MS)
  const during = statuses().filter((status) => status !== 200)
  expectThat(
    during.length > 0 && during.every((status) => status === 503),
    `during the outage: ${new Set(during)}`,
  )
  const health = await Promise.all(
    ['/', '/healthz/ready'].map(async (path) => (await fetch(program.url + path)).status),
  )
  expectThat(health.join() === '200,503', `page and readiness: ${health}`)

  const refused = client.unanswered()
  await server.start()
  const isBack = () => refused.every(({ reference }) => reference)
  const backAfter = await waitUntil('requests are stored again', isBack, RECOVERY_MS)
  await sleep(LOAD_MS)
  await load.end()
  expectThat((await program.stop()) === 0, "didn't exit with 0")
  return `${during.length} times 503, stored again after ${backAfter.toFixed()} ms; ${await harness.recoverAndVerify()}`
}

async function dropPackets(): Promise<string> {
  await using server = await ownPostgres()
  await server.stop()
  const port = await freePort()
  await server.start([`listen_addresses=127.0.0.1,${DROPPING_HOST}`, `port=${port}`])
  const url = `postgres://plumbline@${DROPPING_HOST}:${port}/postgres`
  await using harness = await openHarness({ database: 'postgres', url })
  const program = await harness.start()
  // With these, PostgreSQL releases the locks of a machine that has vanished within half a minute,
  // not hours.
  const limits =
    "from pg_settings where name in ('tcp_keepalives_idle', 'tcp_user_timeout') and reset_val <> setting"
  const set = await harness.query((stored) => stored.count(limits))
  expectThat(set === 2, `${set} of 2 limits for connections that vanish`)
  const times: number[] = []
  const visit = async () => {
    const startedAt = performance.now()
    const { statuses } = await harness.client.post(program.url)
    times.push(performance.now() - startedAt)
    return statuses[0]
  }
  const visits = (count: number) => Promise.all(Array.from({ length: count }, visit))
  await visits(PARALLEL)

  const answers: (number | undefined)[] = []
  {
    const inFlight = visits(PARALLEL)
    await sleep(IN_TRANSACTION_MS)
    using _silence = dropAll(DROPPING_HOST)
    answers.push(...(await inFlight), ...(await visits(PARALLEL)))
  }
  const longest = `${(Math.max(...times) / 1000).toFixed(1)} s`
  const kinds = [...new Set(answers)].sort().join(' and ')
  expectThat(answers.includes(503) && /^(200 and )?503$/.test(kinds), `responses: ${kinds}`)
  expectThat(Math.max(...times) <= MAX_RESPONSE_MS, `the longest response took ${longest}`)
  await program.stop()
  return `${kinds}, the longest after ${longest}; ${await harness.recoverAndVerify()}`
}
