import { postRequest } from '../../testing/post-request.ts'
import { control, guarantee } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import type { FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'
import { duplicates } from '../verify.ts'

const REQUESTS = 20
const parallelRequests = {
  what: `${REQUESTS} parallel requests with the same key create one lead and get the same response`,
  check: sendInParallel,
}

export const idempotency: FaultCase[] = [
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
