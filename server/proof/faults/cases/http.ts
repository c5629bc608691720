import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'
import { endlessRequests, exchangeRaw, type MalformedRequest, malformedRequests } from '../raw-http.ts'

const family = 'raw HTTP'

export const httpCases: FaultCase[] = [
  {
    family,
    fault: Object.keys(malformedRequests).join('; '),
    expected: 'the right status; after wrong framing, closed; nothing is stored; valid requests still work',
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
    async run() {
      const groups = await Promise.all(endlessRequests.map((request) => send([request])))
      const faults = groups.flatMap((group) => group.faults)
      expectThat(faults.length === 0, faults.join('; '))
      return groups.map(({ seen }) => seen).join('; ')
    },
  },
  control({
    what: 'a request that never ends is closed',
    weakness: "Node's default timeouts",
    check: async (weakness) => (await send(endlessRequests.slice(0, 1), weakness)).faults,
  }),
]

async function send(group: readonly MalformedRequest[], weakness?: Weakness) {
  await using harness = await openHarness()
  const program = await harness.start({ weakness })
  await harness.client.post(program.url)
  const faults: string[] = []
  const answers: string[] = []
  for (const request of group) {
    const { statuses, isClosed } = await exchangeRaw(program.port, request)
    const answer = statuses.join() || 'no response'
    answers.push(answer)
    // A client that is still sending when the server cuts the connection may lose the response.
    const isLost = request.endless !== undefined && statuses.length === 0
    if (String(statuses) !== String(request.expected) && !isLost) faults.push(`${request.what}: ${answer}`)
    if (!isClosed) faults.push(`${request.what}: still open`)
  }
  const error = program.lines.find((line) => line.includes('request failed'))
  if (error) faults.push(`an internal error: ${error}`)
  const entry = await harness.client.post(program.url)
  if (entry.statuses[0] !== 200) faults.push(`a valid request afterward: ${entry.statuses[0]}`)
  const code = await program.stop()
  if (code !== 0) faults.push(`exit code ${code}`)
  // Counted after the stop, because a hidden request could still be running before.
  const stored = await harness.query(async (stored) => (await stored.leads()).length)
  if (stored !== 2) faults.push(`${stored - 2} stored`)

  const counts = Object.entries(Object.groupBy(answers, String))
  return {
    faults,
    seen: `${counts.map(([answer, all]) => `${all?.length} x ${answer}`).join(', ')}, 0 stored`,
  }
}
