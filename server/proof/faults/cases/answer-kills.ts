import { setTimeout as sleep } from 'node:timers/promises'
import { control, faultsOf } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'
import {
  type Answer,
  isSent,
  isUndone,
  newAnswer,
  type OwnerClient,
  openOwnerClient,
} from '../owner-client.ts'

const ROUNDS = 36
const SHORT_ROUNDS = 1
const CONTROL_ROUNDS = 2
const LEADS = 4
// The kill comes within PRESSING_MS while the owner presses Send and Undo, or within PAUSE_MS after the last response.
const PRESSING_MS = 60
const PAUSE_MS = 250
const KILLED_MS = 10_000

const what = 'each acknowledged answer is delivered once, and an undone answer not at all'

export const answerKills: FaultCase[] = [
  {
    family: 'answers',
    fault: 'kill -9 while an owner presses Send and Undo, right after that, and during the delivery',
    expected: what,
    async run({ isShort }) {
      const rounds = isShort ? SHORT_ROUNDS : ROUNDS
      const { found, seen } = await killBetweenPressAndDelivery(rounds)
      expectThat(found.length === 0, found.join('; '))
      return `${rounds} kills: ${seen}`
    },
  },
  ...(['emails are marked as sent before they are sent', 'undoing an answer keeps its emails'] as const).map(
    (weakness) =>
      control({
        what,
        weakness,
        isLong: true,
        check: async (removed) => (await killBetweenPressAndDelivery(CONTROL_ROUNDS, removed)).found,
      }),
  ),
]

type Scene = {
  harness: Harness
  weakness: Weakness | undefined
  owner?: OwnerClient
  answers: Answer[]
}

async function killBetweenPressAndDelivery(rounds: number, weakness?: Weakness) {
  await using harness = await openHarness()
  const scene: Scene = { harness, answers: [], weakness }
  const ways = [
    () => pressAndKill(scene, undefined),
    () => killDuringDelivery(scene),
    () => pressAndKill(scene, PRESSING_MS),
  ]
  for (let round = 0; round < rounds; round++) await ways[round % ways.length]?.()
  harness.relay.heal()
  const program = await start(scene)
  await repeatUnanswered(program.url, scene)
  const stuck = await faultsOf(harness.drain(program.url))
  return {
    found: [...stuck, ...(await findFaults(scene))],
    seen: `${scene.answers.length} answers, ${scene.answers.filter(isUndone).length} undone`,
  }
}

const start = ({ harness, weakness }: Scene) => harness.start({ weakness })

/**
 * Answers some new leads and undoes every second answer. Kills the program within `killWithinMs` of the first press. If
 * `killWithinMs` is undefined, kills it soon after the last response.
 */
async function pressAndKill(scene: Scene, killWithinMs: number | undefined) {
  const { harness, answers } = scene
  // Don't reply to RCPT for visitors, so that no answer is delivered: a kill right after a delivery causes a duplicate,
  // which kills.ts tests.
  harness.relay.misbehave('rcpt', (_, line) =>
    line.includes(VISITOR) ? undefined : harness.relay.usual.rcpt,
  )
  const program = await start(scene)
  scene.owner ??= await openOwnerClient(harness, program.url)
  const { owner } = scene
  await repeatUnanswered(program.url, scene)
  const entries = await Promise.all(Array.from({ length: LEADS }, () => harness.client.post(program.url)))
  const added = entries.map(({ reference = '' }) => newAnswer(reference))
  answers.push(...added)
  const presses = Promise.all(
    added.map(async (answer, index) => {
      const { status } = await owner.send(program.url, answer)
      await sleep(Math.random() * PRESSING_MS)
      if (index % 2 === 1 && status === 200) await owner.undo(program.url, answer)
    }),
  )
  if (killWithinMs === undefined) await presses
  await sleep(Math.random() * (killWithinMs ?? PAUSE_MS))
  await program.stop('SIGKILL')
  await presses
  await harness.query((stored) => stored.expireLeases())
}

/** Repeats each answer and each undo that got no response, as the page does. */
async function repeatUnanswered(url: string, { owner, answers }: Scene) {
  for (const answer of answers) {
    if (answer.sends.at(-1)?.status === 0) await owner?.send(url, answer)
    if (answer.undos.at(-1)?.status === 0) await owner?.undo(url, answer)
  }
}

/** Makes the answers due, so that they can no longer be undone. Kills the program when it sends RCPT for a visitor. */
async function killDuringDelivery(scene: Scene) {
  const { harness, answers } = scene
  await harness.query((stored) => stored.makeQueuedDue())
  const waiting = answers.filter((answer) => isSent(answer) && !isUndone(answer))
  expectThat(waiting.length > 0, 'no answer was waiting')
  const starting = start(scene)
  harness.relay.misbehave('rcpt', async (_, line) => {
    if (!line.includes(VISITOR)) return harness.relay.usual.rcpt
    await (await starting).stop('SIGKILL')
    return undefined
  })
  const program = await starting
  const wasKilled = program.exited.then(() => true)
  expectThat(await Promise.race([wasKilled, sleep(KILLED_MS, false)]), 'no answer was delivered')
  await harness.query((stored) => stored.expireLeases())
}

// The email address in sampleRequest. Every lead here comes from it.
const VISITOR = 'ada@example.com'

async function findFaults({ harness, answers }: Scene): Promise<string[]> {
  const leads = await harness.query(({ db }) =>
    db.selectFrom('leads').select(['reference', 'state']).execute(),
  )
  const stateOf = new Map(leads.map(({ reference, state }) => [reference, state]))
  return answers.flatMap((answer) => {
    const seen = `sent ${emailsOf(harness, answer)} times, ${stateOf.get(answer.reference)}`
    const wanted = isUndone(answer) ? 'sent 0 times, open' : 'sent 1 times, answered'
    if (!isSent(answer)) return ['an answer was never accepted']
    return seen === wanted ? [] : [`${seen}, not ${wanted}`]
  })
}

const emailsOf = ({ relay }: Harness, { key }: Answer) =>
  relay.emails.filter(({ messageId }) => messageId.startsWith(`<${key}.answer@`)).length
