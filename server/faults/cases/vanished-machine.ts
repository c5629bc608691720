import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { takeTurn } from '../../database/differences.ts'
import { connect } from '../../database/postgres/open-postgres.ts'
import { freePort } from '../../testing/free-port.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { ownPostgres } from '../postgres-server.ts'

// An address of this machine only, which nothing else uses.
const HOLE = '127.66.66.67'
const TAKEN_OVER_MS = 30_000
const LOOK_EVERY_MS = 500

export const vanishedMachine: FaultCase = {
  family: 'copies',
  fault: 'the machine of the copy whose turn it is vanishes: not a packet more, not even an end',
  expected: `another copy can take over within ${TAKEN_OVER_MS / 1000} s`,
  needs: ['postgres', 'firewall'],
  isLong: true,
  async run() {
    await using server = await ownPostgres()
    await server.stop()
    const port = await freePort()
    await server.start([`listen_addresses=127.0.0.1,${HOLE}`, `port=${port}`])
    const connectAt = (host: string) => connect(`postgres://plumbline@${host}:${port}/postgres`, 'visitor')
    const [vanishing, other] = [connectAt(HOLE), connectAt('127.0.0.1')]
    const over = Promise.withResolvers<void>()
    const holds = Promise.withResolvers<void>()
    const turn = takeTurn(vanishing, 'backup', () => {
      holds.resolve()
      return over.promise
    }).catch(() => {})
    await holds.promise

    const startedAt = performance.now()
    let tookMs: number | undefined
    firewall('--insert')
    try {
      while (tookMs === undefined && performance.now() - startedAt < TAKEN_OVER_MS) {
        await sleep(LOOK_EVERY_MS)
        await takeTurn(other, 'backup', async () => {
          tookMs = performance.now() - startedAt
        })
      }
    } finally {
      firewall('--delete')
      over.resolve()
      await turn
      await Promise.all([vanishing.destroy(), other.destroy()])
    }
    expectThat(tookMs !== undefined, `not within ${TAKEN_OVER_MS / 1000} s`)
    return `after ${(tookMs / 1000).toFixed(1)} s`
  },
}

function firewall(change: '--insert' | '--delete') {
  for (const end of ['--source', '--destination'])
    execFileSync('iptables', [change, 'OUTPUT', end, HOLE, '--protocol', 'tcp', '--jump', 'DROP'])
}
