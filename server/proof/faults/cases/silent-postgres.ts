import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, preparePostgres, runAlone } from '../../../database/postgres.ts'
import { freePort } from '../../testing/free-port.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'
import { ownPostgres } from '../postgres-server.ts'

// The cases drop all packets to and from these loopback addresses, which nothing else uses.
const VANISHING_HOST = '127.66.66.67'
const DROPPING_HOST = '127.66.66.68'
// PostgreSQL notices after 25 s that the machine is gone. After that, the next poll takes the job over.
const TAKEOVER_MS = 60_000
const POLL_EVERY_MS = 500
const VISITORS = 40
// After this long, some requests are in a transaction.
const IN_TRANSACTION_MS = 60
// The server must respond before the page stops waiting, which it does after 10 s.
const MAX_RESPONSE_MS = 9_000

export const silentPostgres: FaultCase[] = [
  {
    family: 'replicas',
    fault: 'the machine of the replica that runs a job vanishes without closing its connections',
    expected: `another replica takes over within ${TAKEOVER_MS / 1000} s`,
    needs: ['postgres', 'firewall'],
    isLong: true,
    run: loseMachine,
  },
  {
    family: 'PostgreSQL',
    fault: `the network drops every packet during ${VISITORS} requests`,
    expected: `each response is 200 or 503 within ${MAX_RESPONSE_MS / 1000} s; no restart is needed, and nothing is lost`,
    needs: ['postgres', 'firewall'],
    isLong: true,
    run: dropPackets,
  },
]

/** Starts a separate PostgreSQL server that also listens at an address whose packets a test can drop. */
async function reachablePostgres(droppable: string) {
  const server = await ownPostgres()
  await server.stop()
  const port = await freePort()
  await server.start([`listen_addresses=127.0.0.1,${droppable}`, `port=${port}`])
  return { server, urlAt: (host: string) => `postgres://plumbline@${host}:${port}/postgres` }
}

async function loseMachine(): Promise<string> {
  const { server, urlAt } = await reachablePostgres(VANISHING_HOST)
  await using _server = server
  await (await preparePostgres(urlAt('127.0.0.1'))).destroy()
  const [vanishing, other] = [
    connect(urlAt(VANISHING_HOST), 'visitor'),
    connect(urlAt('127.0.0.1'), 'visitor'),
  ]
  const [holds, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const held = runAlone(vanishing, 'backup', () => {
    holds.resolve()
    return over.promise
  }).catch(() => {})
  await holds.promise

  let tookMs: number | undefined
  {
    using _silence = silence(VANISHING_HOST)
    const startedAt = performance.now()
    while (tookMs === undefined && performance.now() - startedAt < TAKEOVER_MS) {
      await sleep(POLL_EVERY_MS)
      await runAlone(other, 'backup', async () => {
        tookMs = performance.now() - startedAt
      })
    }
  }
  over.resolve()
  await held
  await Promise.all([vanishing.destroy(), other.destroy()])
  expectThat(tookMs !== undefined, `no takeover within ${TAKEOVER_MS / 1000} s`)
  return `after ${(tookMs / 1000).toFixed(1)} s`
}

async function dropPackets(): Promise<string> {
  const { server, urlAt } = await reachablePostgres(DROPPING_HOST)
  await using _server = server
  await using harness = await openHarness({ database: 'postgres', url: urlAt(DROPPING_HOST) })
  const program = await harness.start()
  const times: number[] = []
  const visit = async () => {
    const startedAt = performance.now()
    const { statuses } = await harness.client.post(program.url)
    times.push(performance.now() - startedAt)
    return statuses[0]
  }
  const visits = (count: number) => Promise.all(Array.from({ length: count }, visit))
  await visits(VISITORS)

  const answers: (number | undefined)[] = []
  {
    const inFlight = visits(VISITORS)
    await sleep(IN_TRANSACTION_MS)
    using _silence = silence(DROPPING_HOST)
    answers.push(...(await inFlight), ...(await visits(VISITORS)))
  }
  const longest = `${(Math.max(...times) / 1000).toFixed(1)} s`
  const kinds = [...new Set(answers)].sort().join(' and ')
  expectThat(answers.includes(503) && /^(200 and )?503$/.test(kinds), `responses: ${kinds}`)
  expectThat(Math.max(...times) <= MAX_RESPONSE_MS, `the longest response took ${longest}`)
  await program.stop()
  return `${kinds}, the longest after ${longest}; ${await harness.recoverAndVerify()}`
}

/** Drops every packet to or from an address until disposed. */
function silence(address: string) {
  const change = (how: '--insert' | '--delete') => {
    for (const end of ['--source', '--destination'])
      execFileSync('iptables', [how, 'OUTPUT', end, address, '--protocol', 'tcp', '--jump', 'DROP'])
  }
  change('--insert')
  return { [Symbol.dispose]: () => change('--delete') }
}
