import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../../testing/percentile.ts'
import { launchProgram } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { control, faultsOf, guarantee } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import type { DatabaseKind } from '../options.ts'
import { openTrial, type Trial } from '../trial.ts'
import { lost, unrecognisable } from '../verify.ts'

const VISITORS = 6
// A kill comes at a random moment, at most this long after the program is ready.
const LIFE_MS = 250
const BOOT_KILL_SHARE = 0.15
const READY_AGAIN_MS = 2000
// On a slow or busy machine, compare with a first start instead.
const MOST_TIMES_A_FIRST_START = 1.5
const FIRST_STARTS = 5
const SHORT_ROUNDS = 5

export const kills: FaultCase[] = [
  {
    family: 'kill',
    fault: 'kill -9 at random moments, under load and at start',
    expected: 'no acknowledged lead is lost or duplicated, ready again <= 2 s later (median)',
    async run({ isShort, rounds }) {
      const total = isShort ? SHORT_ROUNDS : rounds
      await using trial = await openTrial()
      const readyAfter: number[] = []
      const firstReady: number[] = []
      for (let round = 0; round < total; round++) {
        const took = await killOnce(trial)
        if (took !== undefined) readyAfter.push(took)
        if (round % Math.ceil(total / FIRST_STARTS) === 0) firstReady.push(await firstStart())
      }
      const seen = await trial.recoverAndVerify()
      const [again, first] = [median(readyAfter), median(firstReady)]
      const times = `ready again after ${again.toFixed()} ms (longest ${Math.max(...readyAfter).toFixed()}, a first start ${first.toFixed()})`
      expectThat(again <= Math.max(READY_AGAIN_MS, first * MOST_TIMES_A_FIRST_START), times)
      return `${total} rounds: ${seen}; ${times}`
    },
  },
  {
    family: 'kill',
    fault: "kill -9 between the mail server's 250 and recording it",
    expected: 'sent again, the same bytes with the same Message-ID',
    run: () => mailAgain(),
  },
  control({
    what: 'an email sent twice is recognizable as one',
    weakness: 'a random Message-ID',
    async check(weakness) {
      return unrecognisable(await killedAfterTheDot(weakness && { weakness }))
    },
  }),
  guarantee({
    what: 'an email interrupted by a kill is sent after the restart',
    isAboutSqlite: true,
    check: killWhileSending,
  }),
  control({
    what: 'an email interrupted by a kill is sent after the restart',
    weakness: 'emails are marked as sent before they are sent',
    isAboutSqlite: true,
    check: killWhileSending,
  }),
  control({
    what: 'an email interrupted by a kill is sent right after the restart',
    weakness: 'leases are not released at the start',
    isAboutSqlite: true,
    isLong: true,
    check: killWhileSending,
  }),
]

async function killWhileSending(weakness?: Weakness): Promise<string[]> {
  await using trial = await openTrial()
  const program = await trial.start(weakness && { weakness })
  trial.relay.misbehave('mail', () => undefined)
  await trial.ledger.post(program.url)
  await waitUntil('the email is being sent', () => trial.relay.reached.has('mail'))
  await program.stop('SIGKILL')
  trial.relay.heal()
  const second = await trial.start(weakness && { weakness })
  const found = await faultsOf(waitUntil('the email arrives', () => trial.relay.mails.length === 1, 3000))
  await second.stop()
  return found
}

/** Expects a second email with the same bytes. */
export async function mailAgain(database?: DatabaseKind): Promise<string> {
  const mails = await killedAfterTheDot({}, database)
  expectThat(mails.length === 2, `${mails.length} emails`)
  expectThat(unrecognisable(mails).length === 0, 'the second email differs')
  return `sent twice, ${mails[0]?.text.length} equal characters`
}

/** How long a start on an empty folder takes. */
async function firstStart(): Promise<number> {
  await using trial = await openTrial()
  const startedAt = performance.now()
  await trial.start()
  return performance.now() - startedAt
}

/** Starts the program and kills it. Returns the milliseconds until it was ready, if it got that far. */
async function killOnce(trial: Trial): Promise<number | undefined> {
  const startedAt = performance.now()
  const program = launchProgram(trial.envOf())
  trial.watch(program)
  if (Math.random() < BOOT_KILL_SHARE) {
    await sleep(Math.random() * 500)
    await program.stop('SIGKILL')
    return undefined
  }
  const url = `http://localhost:${await program.ready}`
  const readyAfter = performance.now() - startedAt
  // Check only now that the program is running: it must recover the file itself.
  const found = await trial.ask(async (stored) => lost(trial.ledger, await stored.leads()))
  expectThat(found.length === 0, found.join())
  const again = trial.ledger.unanswered().map((entry) => trial.ledger.repeat(url, entry))
  const load = trial.ledger.load(url, VISITORS, () => false)
  await sleep(Math.random() * LIFE_MS)
  await program.stop('SIGKILL')
  await Promise.all([load, ...again])
  return readyAfter
}

/** Kills the program after the mail server accepted an email but before its reply, and starts another one. */
async function killedAfterTheDot(start: Parameters<Trial['start']>[0] = {}, database?: DatabaseKind) {
  await using trial = await openTrial({ ...(database && { database }) })
  const program = await trial.start(start)
  trial.relay.misbehave('dot', async () => {
    await program.stop('SIGKILL')
    return undefined
  })
  await trial.ledger.post(program.url)
  await program.exited
  trial.relay.heal()
  if (trial.place.DATABASE_URL) await trial.ask((stored) => stored.passLeaseTime())
  const second = await trial.start(start)
  await waitUntil('it is sent again', () => trial.relay.mails.length === 2)
  await second.stop()
  return trial.relay.mails
}
