import { setTimeout as sleep } from 'node:timers/promises'
import { contactPath } from '#shared/contact-request.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { longestWait } from '../longest-wait.ts'
import { exchangeRaw } from '../raw/exchange-raw.ts'
import { openTrial } from '../trial.ts'

const MOST_WAIT_MS = 50
const WATCHED_MS = 1000
const CLIENTS = 4
const TRIES = 3
// The flood limit of one client is ten times that of accepted requests.
const REFUSED = 50

// As much as Node reads of a connection before it looks at the next one.
const crumbs = Buffer.from('1\r\nx\r\n'.repeat(350_000))
const places = {
  'a page': 'GET /',
  'no page': 'GET /nope',
  'an address that is only read': 'POST /',
  'the form': `POST ${contactPath}`,
  'the form, past the flood limit': `POST ${contactPath}`,
}
type Place = keyof typeof places

export const crumbsCase: FaultCase = {
  family: 'raw',
  fault: `${CLIENTS} bodies without end, in chunks of one byte, at any address`,
  expected: `/healthz answered within ${MOST_WAIT_MS} ms (of the program's own time, best of ${TRIES}), honest requests go on`,
  isAlone: true,
  needs: ['linux'],
  async run() {
    const faults: string[] = []
    const seen: string[] = []
    for (const place of Object.keys(places) as Place[]) {
      const { isWell, figures } = await bestOf(TRIES, place)
      if (!isWell) faults.push(figures)
      seen.push(figures)
    }
    expectThat(faults.length === 0, faults.join('; '))
    return seen.join('; ')
  },
}

/** For a control: what is wrong behind a page. */
export async function crumble(weakness?: Weakness): Promise<string[]> {
  const { isWell, figures } = await pourCrumbs('a page', weakness)
  return isWell ? [] : [figures]
}

/** Whoever else uses the machine may take it for a moment; a program that is slow is slow each time. */
async function bestOf(tries: number, place: Place): ReturnType<typeof pourCrumbs> {
  const outcome = await pourCrumbs(place)
  return outcome.isWell || tries === 1 ? outcome : bestOf(tries - 1, place)
}

async function pourCrumbs(place: Place, weakness?: Weakness) {
  await using trial = await openTrial()
  const program = await trial.start({ env: { CONTACT_LIMIT: '5' }, ...(weakness && { weakness }) })
  const warm = await trial.ledger.post(program.url)
  if (place === 'the form, past the flood limit') await spendBudget(program.url)
  const bytes = `${places[place]} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
  const pour = () => exchangeRaw(program.port, { bytes, endless: crumbs, patienceMs: WATCHED_MS })
  const pouring = Promise.all(Array.from({ length: CLIENTS }, pour))
  const longest = await longestWait(program, Promise.all([pouring, sleep(WATCHED_MS)]))
  const statuses = new Set((await pouring).flatMap((answer) => answer.statuses))
  await program.stop()
  const isWell = longest <= MOST_WAIT_MS && warm.statuses[0] === 200
  return {
    isWell,
    figures: `${place}: ${[...statuses].join() || 'no answer'}, /healthz within ${longest.toFixed()} ms`,
  }
}

async function spendBudget(url: string) {
  for (let count = 0; count < REFUSED; count++) await fetch(url + contactPath, { method: 'POST' })
}
