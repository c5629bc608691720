import { setTimeout as sleep } from 'node:timers/promises'
import type { Program } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import type { DatabaseKind } from '../options.ts'
import { openTrial, type Trial } from '../trial.ts'
import { changeWeather } from '../weather.ts'
import { findWhoWasTold, type Told } from '../who-was-told.ts'

const OWNERS = ['first-owner@example.com', 'second-owner@example.com'] as const
const REPLICAS = 3
const VISITORS = 3
const LONG_MS = 4 * 60_000
const SHORT_MS = 15_000
const CONTROL_MS = 12_000
const POST_EVERY_MS = 200
const MISHAP_EVERY_MS = 1500
const FROZEN_MS = 3000
const WITHOUT_SMTP_MS = 4000
const RETRY_EVERY_MS = 1000
const DRAINED_MS = 90_000

export const neverTold: FaultCase[] = (['sqlite', 'postgres'] as const).map((database) => ({
  family: 'who is told',
  fault: `a relay that refuses, hangs, drops and recovers at random, kills, frozen processes, and a start without SMTP_URL (${database === 'sqlite' ? 'SQLite' : `${REPLICAS} replicas on PostgreSQL`}, ${LONG_MS / 60_000} min)`,
  expected: 'each acknowledged lead has reached each owner or shows as undelivered: 0 are silent',
  ...(database === 'postgres' ? { needs: ['postgres'], isLong: true } : { isAboutSqlite: true }),
  async run({ isShort }) {
    const told = await findSilent(database, isShort ? SHORT_MS : LONG_MS)
    expectThat(told.silent.length === 0 && told.delivered > 0, describe(told))
    return describe(told)
  },
}))

/** A shorter storm on SQLite. Returns who was never told. */
export async function tellNobody(weakness?: Weakness): Promise<string[]> {
  const told = await findSilent('sqlite', CONTROL_MS, weakness)
  return told.silent.length > 0 ? [describe(told)] : []
}

const describe = ({ delivered, shown, silent }: Told) =>
  `${delivered} delivered, ${shown} shown, ${silent.length} silent ${silent.slice(0, 3).join('; ')}`

async function findSilent(database: DatabaseKind, durationMs: number, weakness?: Weakness): Promise<Told> {
  await using trial = await openTrial({ database })
  const crew = await startCrew(trial, database === 'postgres' ? REPLICAS : 1, weakness)
  const until = performance.now() + durationMs
  const isOver = () => performance.now() > until
  await Promise.all([
    changeWeather(trial.relay, OWNERS[1], isOver),
    retryAllTheTime(trial, isOver),
    haveMishaps(crew, isOver),
    sleep(durationMs / 3).then(() => crew.restartWithoutSmtp()),
    ...Array.from({ length: VISITORS }, () => visit(trial, crew.anyUrl, isOver)),
  ])
  await drain(trial)
  const told = await findWhoWasTold(trial, crew.anyUrl(), OWNERS)
  await crew.stop()
  return told
}

type Crew = Awaited<ReturnType<typeof startCrew>>

/** Replicas of the program, each with one mishap at a time. */
async function startCrew(trial: Trial, size: number, weakness?: Weakness) {
  const env = { MAIL_TO: OWNERS.join() }
  const start = (more = {}) => trial.start({ env: { ...env, ...more }, ...(weakness && { weakness }) })
  // A machine that is busy with much else may take longer than a start is given.
  const startAgain = () => start().catch(() => start())
  const programs: Program[] = await Promise.all(Array.from({ length: size }, startAgain))
  const busy = programs.map(() => Promise.resolve())
  const pick = () => Math.floor(Math.random() * size)

  /** After what is under way with that one. */
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
    /** A slip in the settings, put right a moment later. To refuse that start is as good as to keep the mail. */
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

async function haveMishaps(crew: Crew, isOver: () => boolean) {
  while (!isOver()) {
    await sleep(Math.random() * 2 * MISHAP_EVERY_MS)
    await (Math.random() < 0.5 ? crew.killOne() : crew.freezeOne())
  }
}

/** Who gets no answer asks again a moment later, and perhaps another replica. */
async function visit(trial: Trial, url: () => string, isOver: () => boolean) {
  while (!isOver()) {
    const entry = await trial.ledger.post(url())
    await sleep(Math.random() * 2 * POST_EVERY_MS)
    if (entry.reference === undefined) await trial.ledger.repeat(url(), entry)
  }
}

/** The minutes between two attempts pass in a second; what was given up stays given up. */
async function retryAllTheTime(trial: Trial, isOver: () => boolean) {
  while (!isOver()) {
    await sleep(RETRY_EVERY_MS)
    await passTime(trial).catch(nextTimeIfBusy)
  }
}

/** A frozen process can hold the write lock. */
function nextTimeIfBusy(error: unknown) {
  if (Object(error).code !== 'SQLITE_BUSY') throw error
}

async function passTime(trial: Trial) {
  await trial.ask(async (stored) => {
    await stored.passWaitingTime()
    if (trial.place.DATABASE_URL) await stored.passLeaseTime()
  })
}

/** The relay is well: what can leave, leaves. */
async function drain(trial: Trial) {
  const isEmpty = async () => {
    await passTime(trial)
    await sleep(RETRY_EVERY_MS)
    return (await trial.ask((stored) => stored.waitingMails())) === 0
  }
  await waitUntil('every mail was tried', isEmpty, DRAINED_MS)
}
