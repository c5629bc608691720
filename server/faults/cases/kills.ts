import { setTimeout as sleep } from 'node:timers/promises'
import { launchProgram } from '../../testing/start-program.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { ask } from '../stored.ts'
import { openTrial, type Trial } from '../trial.ts'
import { lost, unrecognisable } from '../verify.ts'
import { waitUntil } from '../wait-until.ts'

const VISITORS = 6
// A kill falls at random from the first moment of the program to this long after it is ready.
const LIFE_MS = 250
const BOOT_KILL_SHARE = 0.15
const READY_AGAIN_MS = 2000
const SHORT_ROUNDS = 15

export const kills: FaultCase[] = [
  {
    family: 'kill',
    fault: 'kill -9 at random moments, under load and at start',
    expected: 'nothing acknowledged is lost, nothing is double, ready again <= 2 s (median)',
    async run({ isShort, rounds }) {
      const total = isShort ? SHORT_ROUNDS : rounds
      await using trial = await openTrial()
      const readyAfter: number[] = []
      for (let round = 0; round < total; round++) {
        const took = await killOnce(trial)
        if (took !== undefined) readyAfter.push(took)
      }
      const seen = await trial.recoverAndVerify()
      const median = readyAfter.sort((a, b) => a - b)[readyAfter.length >> 1] ?? Number.NaN
      expectThat(median <= READY_AGAIN_MS, `ready again only after ${median.toFixed()} ms`)
      return `${total} rounds: ${seen}; ready again after ${median.toFixed()} ms (longest ${readyAfter.at(-1)?.toFixed()})`
    },
  },
  {
    family: 'kill',
    fault: "kill -9 between the mail server's 250 and the mark",
    expected: 'mailed again, the same bytes under the same Message-ID',
    async run() {
      const mails = await killedAfterTheDot()
      expectThat(mails.length === 2, `${mails.length} mails`)
      expectThat(unrecognisable(mails).length === 0, 'the second mail is another one')
      return `mailed twice, ${mails[0]?.text.length} equal characters`
    },
  },
]

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
  const found = ask(trial.dataDir, (stored) => lost(trial.ledger, stored.leads()))
  expectThat(found.length === 0, found.join())
  const again = trial.ledger.unanswered().map((entry) => trial.ledger.repeat(url, entry))
  const load = trial.ledger.load(url, VISITORS, () => false)
  await sleep(Math.random() * LIFE_MS)
  await program.stop('SIGKILL')
  await Promise.all([load, ...again])
  return readyAfter
}

/** The mail server takes the mail, the program dies before it can hear of it, and another one takes over. */
export async function killedAfterTheDot(start: Parameters<Trial['start']>[0] = {}) {
  await using trial = await openTrial()
  const program = await trial.start(start)
  trial.relay.misbehave('dot', async () => {
    await program.stop('SIGKILL')
    return undefined
  })
  await trial.ledger.post(program.url)
  await program.exited
  trial.relay.heal()
  const second = await trial.start(start)
  await waitUntil('it is mailed again', () => trial.relay.mails.length === 2)
  await second.stop()
  return trial.relay.mails
}
