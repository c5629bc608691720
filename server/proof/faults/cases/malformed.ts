import type { Program } from '../../testing/start-program.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { exchangeRaw } from '../raw/exchange-raw.ts'
import { endlessShapes, type Shape, shapes } from '../raw/shapes.ts'
import { openTrial } from '../trial.ts'

const TOO_LARGE_MS = 100
// The fastest of several tries counts: a busy machine slows down a single one.
const TRIES = 3

const family = 'raw HTTP'
const expected = `400, 413 (<= ${TOO_LARGE_MS} ms), 415 or 431, closed, nothing stored, honest requests work`

export const malformed: FaultCase[] = [
  ...Object.entries(shapes).map(
    ([fault, group]): FaultCase => ({
      family,
      fault,
      expected,
      async run() {
        const { faults, seen } = await send(group)
        expectThat(faults.length === 0, faults.join('; '))
        return seen
      },
    }),
  ),
  {
    family,
    fault: 'requests that never end',
    expected: 'closed within 20 s with or without a response, nothing stored, honest requests work',
    isLong: true,
    async run() {
      const groups = await Promise.all(endlessShapes.map((shape) => send([shape])))
      const faults = groups.flatMap((group) => group.faults)
      expectThat(faults.length === 0, faults.join('; '))
      return groups.map(({ seen }) => seen).join('; ')
    },
  },
  control({
    what: 'an endless body is refused',
    weakness: 'no body size limit',
    isLong: true,
    check: async (weakness) =>
      (await send(shapes['malformed or endless chunks'].slice(0, 1), weakness)).faults,
  }),
  control({
    what: 'a request hidden in another is not processed',
    weakness: 'a lenient HTTP parser',
    isLong: true,
    check: async (weakness) =>
      (await send(shapes['a request hidden in another'].slice(0, 1), weakness)).faults,
  }),
]

async function send(group: readonly Shape[], weakness?: Weakness) {
  await using trial = await openTrial()
  const program = await trial.start(weakness && { weakness })
  await trial.ledger.post(program.url)
  const faults: string[] = []
  const answers = new Map<string, number>()
  let slowest = 0
  for (const shape of group) {
    const { statuses, isClosed, fastestMs } = await sendOften(program, shape)
    const answer = statuses.join() || 'no response'
    answers.set(answer, (answers.get(answer) ?? 0) + 1)
    // A client that is still sending when the server cuts the connection may lose the response.
    const isLost = shape.endless !== undefined && statuses.length === 0
    if (String(statuses) !== String(shape.answers) && !isLost) faults.push(`${shape.what}: ${answer}`)
    if (!isClosed && !shape.mayStayOpen) faults.push(`${shape.what}: still open`)
    if (isTimed(shape)) slowest = Math.max(slowest, fastestMs)
  }
  if (slowest > TOO_LARGE_MS) faults.push(`413 took ${slowest.toFixed()} ms`)
  const stored = await trial.ask(async (stored) => (await stored.leads()).length)
  if (stored !== 1) faults.push(`${stored - 1} stored`)
  const errors = program.lines.filter((line) => line.includes('request failed'))
  if (errors.length > 0) faults.push(`${errors.length} internal errors: ${errors[0]}`)
  const entry = await trial.ledger.post(program.url)
  if (entry.statuses[0] !== 200) faults.push(`an honest request afterwards: ${entry.statuses[0]}`)
  const code = await program.stop()
  if (code !== 0) faults.push(`exit code ${code}`)

  const counts = [...answers].map(([answer, count]) => `${count} x ${answer}`).join(', ')
  return { faults, seen: `${counts}${slowest > 0 ? `, 413 after ${slowest.toFixed()} ms` : ''}, 0 stored` }
}

/** Requests whose headers already say that they are too large. An endless body would measure our own sending. */
const isTimed = ({ answers, endless }: Shape) => answers.includes(413) && endless === undefined

/** Repeats timed requests. Half-closes connections that may stay open, so that nobody waits for them. */
async function sendOften(program: Program, shape: Shape) {
  const say = shape.mayStayOpen ? { ...shape, isHalfClosed: true } : shape
  const first = await exchangeRaw(program.port, say)
  let fastestMs = first.answeredAfterMs
  for (let count = 1; isTimed(shape) && count < TRIES; count++)
    fastestMs = Math.min(fastestMs, (await exchangeRaw(program.port, say)).answeredAfterMs)
  return { ...first, fastestMs }
}
