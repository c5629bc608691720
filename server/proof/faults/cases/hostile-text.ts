import { setTimeout as sleep } from 'node:timers/promises'
import { contactPath } from '#shared/contact-request.ts'
import { sampleRequest } from '../../testing/sample-request.ts'
import type { Program } from '../../testing/start-program.ts'
import { bestOf } from '../best-of.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'
import { longestWait } from '../longest-wait.ts'

const MAX_WAIT_MS = 50
const TRIES = 3
const ROUNDS = 5
const PAUSE_MS = 100

const JSON_TYPE = 'application/json'
const FORM = 'application/x-www-form-urlencoded'
const json = (message: string) => [JSON_TYPE, JSON.stringify(sampleRequest({ message }))] as const

// Each body contains combining marks that NFC must reorder (in bodies of the maximum size, and in a valid message), text
// that NFKC expands, or text in which a regular expression can start a match at every character.
const marks = `a${'\u0344'.repeat(12_100)}${'\u0f73'.repeat(7_900)}`
const bodies: readonly (readonly [type: string, body: string])[] = [
  [FORM, `message=${marks}`],
  [FORM, `website=${marks}`],
  json(`a${'\u0344'.repeat(2500)}${'\u0f73'.repeat(2499)}`),
  json('\u2491'.repeat(4990)),
  json('<a '.repeat(820) + '\ufdfa'.repeat(2500)),
  json(`a${'\n'.repeat(4990)}a`),
]

export const hostileText: FaultCase[] = [
  {
    family: 'text',
    fault: `${bodies.length} bodies with text that is slow to normalize or search, ${ROUNDS} times each`,
    expected: `no body makes other clients wait > ${MAX_WAIT_MS} ms (CPU time, best of ${TRIES})`,
    needs: ['linux'],
    // Not in the short run, because hostile-text.test.ts checks such text, too.
    isLong: true,
    runsAlone: true,
    async run() {
      const wait = await bestOf(
        TRIES,
        (wait) => wait <= MAX_WAIT_MS,
        () => sendTexts(ROUNDS),
      )
      const seen = `${wait.toFixed()} ms`
      expectThat(wait <= MAX_WAIT_MS, seen)
      return seen
    },
  },
  control({
    what: 'no text delays other clients',
    weakness: 'NFC normalization without limits',
    needs: ['linux'],
    isLong: true,
    check: findDelay,
  }),
]

async function findDelay(weakness?: Weakness): Promise<string[]> {
  const wait = await sendTexts(1, weakness)
  return wait <= MAX_WAIT_MS ? [] : [`other clients wait ${wait.toFixed()} ms`]
}

async function sendTexts(rounds: number, weakness?: Weakness): Promise<number> {
  await using harness = await openHarness()
  const program = await harness.start(weakness && { weakness })
  // Warm up.
  await harness.client.post(program.url)
  const wait = await longestWait(program, sendAll(program, rounds))
  await program.stop()
  return wait
}

async function sendAll({ url }: Program, rounds: number) {
  for (let round = 0; round < rounds; round++)
    for (const [type, body] of bodies) {
      await sleep(PAUSE_MS)
      const headers = { 'Content-Type': type, Connection: 'close' }
      await (await fetch(url + contactPath, { method: 'POST', headers, body })).text()
    }
}
