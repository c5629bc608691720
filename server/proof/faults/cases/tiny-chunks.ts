import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { contactPath } from '#shared/contact-request.ts'
import { apiPath } from '#shared/inbox/api.ts'
import { postRequest } from '../../testing/post-request.ts'
import type { Program } from '../../testing/start-program.ts'
import { bestOf } from '../best-of.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'
import { longestWait } from '../longest-wait.ts'
import { exchangeRaw } from '../raw-http/exchange-raw.ts'

const MAX_WAIT_MS = 50
const WATCHED_MS = 600
const CLIENTS = 4
const TRIES = 3
const LIMIT = 20
// A client's flood limit is ten times its limit on accepted requests.
const FLOOD_LIMIT = 10 * LIMIT

// This is as much as Node reads from one connection before it turns to the next.
const chunks = Buffer.from('1\r\nx\r\n'.repeat(350_000))
const targets = {
  'a page': 'GET /',
  'an unknown page': 'GET /nope',
  'a POST to a page': 'POST /',
  'the form': `POST ${contactPath}`,
  'signing in': `POST ${apiPath}/sign-in`,
  'the inbox, without a session': `GET ${apiPath}/leads`,
  'the form, past the flood limit': `POST ${contactPath}`,
}
type Target = keyof typeof targets

export const tinyChunks: FaultCase[] = [
  {
    family: 'raw HTTP',
    fault: `${CLIENTS} endless bodies in chunks of one byte, sent to each of ${Object.keys(targets).length} targets`,
    expected: `/healthz responds within ${MAX_WAIT_MS} ms (CPU time, best of ${TRIES}), valid requests still work`,
    isLong: true,
    runsAlone: true,
    needs: ['linux'],
    async run() {
      await using harness = await openHarness()
      const program = await start(harness)
      const faults: string[] = []
      const seen: string[] = []
      for (const target of Object.keys(targets) as Target[]) {
        const { isGood, figures } = await bestOf(
          TRIES,
          (outcome) => outcome.isGood,
          () => sendTinyChunks(program, target),
        )
        if (!isGood) faults.push(figures)
        seen.push(figures)
      }
      expectThat(faults.length === 0, faults.join('; '))
      return seen.join('; ')
    },
  },
  control({
    what: 'a body in chunks of one byte does not delay other clients',
    weakness: 'request bodies are read after the response',
    isLong: true,
    needs: ['linux'],
    check: async (weakness) => {
      await using harness = await openHarness()
      const { isGood, figures } = await sendTinyChunks(await start(harness, weakness), 'a page')
      return isGood ? [] : [figures]
    },
  }),
]

async function start(harness: Harness, weakness?: Weakness): Promise<Program> {
  const env = { CONTACT_LIMIT: String(LIMIT) }
  return await harness.start({ env, ...(weakness && { weakness }) })
}

async function sendTinyChunks(program: Program, target: Target) {
  const valid = await postRequest(program.url, { message: randomUUID() })
  if (target === 'the form, past the flood limit') await reachFloodLimit(program.url)
  const bytes = `${targets[target]} HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
  const sendEndlessly = () => exchangeRaw(program.port, { bytes, endless: chunks, patienceMs: WATCHED_MS })
  const sending = Promise.all(Array.from({ length: CLIENTS }, sendEndlessly))
  const longest = await longestWait(program, Promise.all([sending, sleep(WATCHED_MS)]))
  const statuses = new Set((await sending).flatMap((answer) => answer.statuses))
  const isGood = longest <= MAX_WAIT_MS && valid.status === 200
  return {
    isGood,
    figures: `${target}: ${[...statuses].join() || 'no response'}, /healthz within ${longest.toFixed()} ms`,
  }
}

async function reachFloodLimit(url: string) {
  for (let count = 0; count < FLOOD_LIMIT; count++) await fetch(url + contactPath, { method: 'POST' })
}
