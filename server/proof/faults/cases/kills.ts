import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../../testing/percentile.ts'
import { launchProgram } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import type { DatabaseKind } from '../options.ts'
import { openTrial, type Trial } from '../trial.ts'
import { lost, unrecognisable } from '../verify.ts'

const VISITORS = 6
// A kill falls at random from the first moment of the program to this long after it is ready.
const LIFE_MS = 250
const BOOT_KILL_SHARE = 0.15
const READY_AGAIN_MS = 2000
// A machine on which a first start takes longer than that is slow, or busy with something else.
const MOST_TIMES_A_FIRST_START = 1.5
const FIRST_STARTS = 5
const SHORT_ROUNDS = 5

export const kills: FaultCase[] = [
  {
    family: 'kill',
    fault: 'kill -9 at random moments, under load and at start',
    expected: 'nothing acknowledged is lost, nothing is double, ready again <= 2 s (median)',
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
    fault: "kill -9 between the mail server's 250 and the mark",
    expected: 'mailed again, the same bytes under the same Message-ID',
    run: () => mailAgain(),
  },
]

/** The second mail is the first one, to whoever has both. */
export async function mailAgain(database?: DatabaseKind): Promise<string> {
  const mails = await killedAfterTheDot({}, database)
  expectThat(mails.length === 2, `${mails.length} mails`)
  expectThat(unrecognisable(mails).length === 0, 'the second mail is another one')
  return `mailed twice, ${mails[0]?.text.length} equal characters`
}

/** How long a start takes that has nothing to mend. */
async function firstStart(): Promise<number> {
  await using trial = await openTrial()
  const startedAt = performance.now()
  await trial.start()
  return performance.now() - startedAt
}

/** One life of the program. Returns after how many milliseconds it was ready, if it lived that long. */
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
  // Beside the program, so that it is the program itself that mends what the kill left behind.
  const found = await trial.ask(async (stored) => lost(trial.ledger, await stored.leads()))
  expectThat(found.length === 0, found.join())
  const again = trial.ledger.unanswered().map((entry) => trial.ledger.repeat(url, entry))
  const load = trial.ledger.load(url, VISITORS, () => false)
  await sleep(Math.random() * LIFE_MS)
  await program.stop('SIGKILL')
  await Promise.all([load, ...again])
  return readyAfter
}

/** The mail server takes the mail, the program dies before it can hear of it, and another one takes over. */
export async function killedAfterTheDot(start: Parameters<Trial['start']>[0] = {}, database?: DatabaseKind) {
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
  await waitUntil('it is mailed again', () => trial.relay.mails.length === 2)
  await second.stop()
  return trial.relay.mails
}
