import { postRequest } from '../../testing/contact.ts'
import type { Program } from '../../testing/start-program.ts'
import { control, guarantee } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'
import { endlessRequests, exchangeRaw, type MalformedRequest, malformedRequests } from '../raw-http.ts'
import { duplicates } from '../verify.ts'

const TOO_LARGE_MS = 100
// The fastest of several tries counts, because a busy machine slows down some of them.
const TRIES = 3

const family = 'raw HTTP'
const expected = `the right status (413 within ${TOO_LARGE_MS} ms); after wrong framing, closed; nothing is stored; valid requests work`

const malformed: FaultCase[] = [
  {
    family,
    fault: Object.keys(malformedRequests).join('; '),
    expected,
    async run() {
      const { faults, seen } = await send(Object.values(malformedRequests).flat())
      expectThat(faults.length === 0, faults.join('; '))
      return seen
    },
  },
  {
    family,
    fault: 'requests that never end',
    expected:
      'closed within 20 s with or without a response; nothing is stored, and valid requests still work',
    isLong: true,
    async run() {
      const groups = await Promise.all(endlessRequests.map((request) => send([request])))
      const faults = groups.flatMap((group) => group.faults)
      expectThat(faults.length === 0, faults.join('; '))
      return groups.map(({ seen }) => seen).join('; ')
    },
  },
  control({
    what: 'an endless body is rejected',
    weakness: 'no body size limit',
    isLong: true,
    check: async (weakness) =>
      (await send(malformedRequests['malformed or endless chunks'].slice(0, 1), weakness)).faults,
  }),
  control({
    what: 'a request that never ends is closed',
    weakness: "Node's default timeouts",
    isLong: true,
    check: async (weakness) => (await send(endlessRequests.slice(0, 1), weakness)).faults,
  }),
  control({
    what: 'a request hidden in another is not processed',
    weakness: 'a lenient HTTP parser',
    isLong: true,
    check: async (weakness) =>
      (await send(malformedRequests['a request hidden in another'].slice(0, 1), weakness)).faults,
  }),
]

async function send(group: readonly MalformedRequest[], weakness?: Weakness) {
  await using harness = await openHarness()
  const program = await harness.start(weakness && { weakness })
  await harness.client.post(program.url)
  const faults: string[] = []
  const answers = new Map<string, number>()
  let slowest = 0
  for (const request of group) {
    const { statuses, isClosed, fastestMs } = await sendOften(program, request)
    const answer = statuses.join() || 'no response'
    answers.set(answer, (answers.get(answer) ?? 0) + 1)
    // A client that is still sending when the server cuts the connection may lose the response.
    const isLost = request.endless !== undefined && statuses.length === 0
    if (String(statuses) !== String(request.expected) && !isLost) faults.push(`${request.what}: ${answer}`)
    if (!isClosed && !request.mayStayOpen) faults.push(`${request.what}: still open`)
    if (isTimed(request)) slowest = Math.max(slowest, fastestMs)
  }
  if (slowest > TOO_LARGE_MS) faults.push(`413 took ${slowest.toFixed()} ms`)
  const errors = program.lines.filter((line) => line.includes('request failed'))
  if (errors.length > 0) faults.push(`${errors.length} internal errors: ${errors[0]}`)
  const entry = await harness.client.post(program.url)
  if (entry.statuses[0] !== 200) faults.push(`a valid request afterward: ${entry.statuses[0]}`)
  const code = await program.stop()
  if (code !== 0) faults.push(`exit code ${code}`)
  // Counted after the stop, because a hidden request could still be running before.
  const stored = await harness.query(async (stored) => (await stored.leads()).length)
  if (stored !== 2) faults.push(`${stored - 2} stored`)

  const counts = [...answers].map(([answer, count]) => `${count} x ${answer}`).join(', ')
  return { faults, seen: `${counts}${slowest > 0 ? `, 413 after ${slowest.toFixed()} ms` : ''}, 0 stored` }
}

/** Whether to time a request: only if it's too large. With an endless body, we would time our own sending. */
const isTimed = ({ expected, endless }: MalformedRequest) => expected.includes(413) && endless === undefined

/** Sends a request, several times if it's timed. Half-closes a connection that may stay open, so that it ends soon. */
async function sendOften(program: Program, request: MalformedRequest) {
  const sent = request.mayStayOpen ? { ...request, isHalfClosed: true } : request
  const first = await exchangeRaw(program.port, sent)
  let fastestMs = first.answeredAfterMs
  for (let count = 1; isTimed(request) && count < TRIES; count++)
    fastestMs = Math.min(fastestMs, (await exchangeRaw(program.port, sent)).answeredAfterMs)
  return { ...first, fastestMs }
}

const REQUESTS = 20
const parallelRequests = {
  what: `${REQUESTS} parallel requests with the same key create one lead and get the same response`,
  check: sendInParallel,
}

const idempotency: FaultCase[] = [
  // Not in the short run, because program.spec.ts checks this, too.
  guarantee({ ...parallelRequests, isLong: true }),
  control({ ...parallelRequests, weakness: 'no idempotency key', isLong: true }),
]

async function sendInParallel(weakness?: Weakness): Promise<string[]> {
  await using harness = await openHarness()
  const program = await harness.start(weakness && { weakness })
  const post = async () => (await postRequest(program.url, {}, { 'Idempotency-Key': 'one' })).text
  const responses = await Promise.all(Array.from({ length: REQUESTS }, post))
  const different = new Set(responses).size
  const stored = duplicates(await harness.query((stored) => stored.leads()))
  return [...stored, ...(different === 1 ? [] : [`${different} different responses`])]
}

const LIMIT = 5
const FORGED = 300
const forgedAddresses = {
  what: `${FORGED} requests with forged forwarding headers are accepted only up to the limit of one client`,
  check: forgeAddresses,
  isLong: true,
}
const floods = [guarantee(forgedAddresses), control({ ...forgedAddresses, weakness: 'trust proxy = true' })]

async function forgeAddresses(weakness?: Weakness): Promise<string[]> {
  await using harness = await openHarness()
  const env = { CONTACT_LIMIT: String(LIMIT), TRUST_PROXY: '' }
  const program = await harness.start({ env, ...(weakness && { weakness }) })
  for (let number = 0; number < FORGED; number++) {
    const address = `10.0.${number >> 8}.${number & 255}`
    const forged = { 'X-Forwarded-For': address, 'X-Real-IP': address, Forwarded: `for="${address}"` }
    await postRequest(program.url, { message: `Number ${number}` }, forged)
  }
  const { length } = await harness.query((stored) => stored.leads())
  return length === LIMIT ? [] : [`${length} accepted`]
}

export const httpCases = [...malformed, ...idempotency, ...floods]
