import { setTimeout as sleep } from 'node:timers/promises'
import { errorFacts } from '../../../error-facts.ts'
import type { Program } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'
import { findNoticeOutcomes, type NoticeOutcomes } from '../notice-outcomes.ts'
import type { DatabaseKind } from '../options.ts'
import { makeUnreliable } from '../unreliable-relay.ts'

const OWNERS = ['first-owner@example.com', 'second-owner@example.com'] as const
const REPLICAS = 3
const VISITORS = 3
const LONG_MS = 4 * 60_000
const CONTROL_MS = 8_000
const POST_EVERY_MS = 200
const MISHAP_EVERY_MS = 1500
const FROZEN_MS = 3000
const WITHOUT_SMTP_MS = 4000
const RETRY_EVERY_MS = 1000
const DRAIN_MS = 90_000

export const lostNotices: FaultCase[] = [
  ...(['sqlite', 'postgres'] as const).map(
    (database): FaultCase => ({
      family: 'notices',
      fault: `the mail server refuses, hangs, hangs up and recovers at random, while processes are killed and frozen, and one is restarted without SMTP_URL (${database === 'sqlite' ? 'SQLite' : `${REPLICAS} replicas on PostgreSQL`}, ${LONG_MS / 60_000} min)`,
      expected: 'each acknowledged lead reaches each owner, or is reported as undelivered',
      isLong: true,
      ...(database === 'postgres' ? { needs: ['postgres'] } : { isSqliteOnly: true }),
      async run() {
        const outcomes = await runWithMishaps(database, LONG_MS)
        expectThat(outcomes.silent.length === 0 && outcomes.delivered > 0, describe(outcomes))
        return describe(outcomes)
      },
    }),
  ),
  control({
    what: 'each lead reaches the owner or is reported as undelivered',
    weakness: 'an email written to a file counts as delivered',
    isSqliteOnly: true,
    isLong: true,
    check: runShort,
  }),
]

/** A shorter run on SQLite. Returns a fault if notices were lost silently. */
async function runShort(weakness?: Weakness): Promise<string[]> {
  const outcomes = await runWithMishaps('sqlite', CONTROL_MS, weakness)
  return outcomes.silent.length > 0 ? [describe(outcomes)] : []
}

const describe = ({ delivered, reported, silent }: NoticeOutcomes) =>
  `${delivered} delivered, ${reported} reported, ${silent.length} lost silently ${silent.slice(0, 3).join('; ')}`

async function runWithMishaps(
  database: DatabaseKind,
  durationMs: number,
  weakness?: Weakness,
): Promise<NoticeOutcomes> {
  await using harness = await openHarness({ database })
  const replicas = await startReplicas(harness, database === 'postgres' ? REPLICAS : 1, weakness)
  const until = performance.now() + durationMs
  const isOver = () => performance.now() > until
  await Promise.all([
    makeUnreliable(harness.relay, OWNERS[1], isOver),
    keepRetrying(harness, isOver),
    causeMishaps(replicas, isOver),
    sleep(durationMs / 3).then(() => replicas.restartWithoutSmtp()),
    ...Array.from({ length: VISITORS }, () => visit(harness, replicas.anyUrl, isOver)),
  ])
  await drain(harness)
  const outcomes = await findNoticeOutcomes(harness, replicas.anyUrl(), OWNERS)
  await replicas.stop()
  return outcomes
}

type Replicas = Awaited<ReturnType<typeof startReplicas>>

/** Starts replicas that can be killed, frozen or misconfigured. A replica has only one mishap at a time. */
async function startReplicas(harness: Harness, size: number, weakness?: Weakness) {
  const env = { MAIL_TO: OWNERS.join() }
  const start = (more = {}) => harness.start({ env: { ...env, ...more }, ...(weakness && { weakness }) })
  // Try twice: on a busy machine, a start may miss its deadline.
  const startAgain = () => start().catch(() => start())
  const programs: Program[] = await Promise.all(Array.from({ length: size }, startAgain))
  const busy = programs.map(() => Promise.resolve())
  const pick = () => Math.floor(Math.random() * size)

  /** Starts a mishap once the replica's current one is over. */
  function after(index: number, mishap: () => Promise<void>) {
    const done = (busy[index] ?? Promise.resolve()).then(mishap)
    busy[index] = done
    return done
  }
  async function replace(index: number, next: Promise<Program>) {
    programs[index] = await next
  }

  return {
    anyUrl: () => programs[pick()]?.url ?? '',
    killOne() {
      const index = pick()
      return after(index, async () => {
        await programs[index]?.stop('SIGKILL')
        await replace(index, startAgain())
      })
    },
    freezeOne() {
      const index = pick()
      return after(index, async () => {
        const pid = programs[index]?.pid ?? 0
        process.kill(pid, 'SIGSTOP')
        await sleep(Math.random() * FROZEN_MS)
        process.kill(pid, 'SIGCONT')
      })
    },
    /** Simulates a mistake in the settings that is fixed a moment later. */
    restartWithoutSmtp() {
      const index = pick()
      return after(index, async () => {
        await programs[index]?.stop()
        await replace(index, start({ SMTP_URL: '' })).catch(() => {})
        await sleep(WITHOUT_SMTP_MS)
        await programs[index]?.stop()
        await replace(index, startAgain())
      })
    },
    async stop() {
      await Promise.all(busy)
      for (const program of programs) await program.stop()
    },
  }
}

async function causeMishaps(replicas: Replicas, isOver: () => boolean) {
  while (!isOver()) {
    await sleep(Math.random() * 2 * MISHAP_EVERY_MS)
    await (Math.random() < 0.5 ? replicas.killOne() : replicas.freezeOne())
  }
}

/** Keeps posting. If a request gets no response, repeats it once, perhaps on another replica. */
async function visit(harness: Harness, url: () => string, isOver: () => boolean) {
  while (!isOver()) {
    const entry = await harness.client.post(url())
    await sleep(Math.random() * 2 * POST_EVERY_MS)
    if (entry.reference === undefined) await harness.client.repeat(url(), entry)
  }
}

/** Every second, makes all queued emails due. Failed emails stay failed. */
async function keepRetrying(harness: Harness, isOver: () => boolean) {
  while (!isOver()) {
    await sleep(RETRY_EVERY_MS)
    await makeAllDue(harness).catch(ignoreIfBusy)
  }
}

/** Ignores the error if a frozen process holds the write lock: the next call tries again. */
function ignoreIfBusy(error: unknown) {
  if (errorFacts(error).code !== 'SQLITE_BUSY') throw error
}

async function makeAllDue(harness: Harness) {
  await harness.query(async (stored) => {
    await stored.makeQueuedDue()
    if (harness.settings.DATABASE_URL) await stored.expireLeases()
  })
}

/** Waits until no email is queued anymore: each was accepted or has failed. */
async function drain(harness: Harness) {
  const isEmpty = async () => {
    await makeAllDue(harness)
    await sleep(RETRY_EVERY_MS)
    return (await harness.query((stored) => stored.waitingEmails())) === 0
  }
  await waitUntil('no email is queued', isEmpty, DRAIN_MS)
}
