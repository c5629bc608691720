import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'
import { databaseFiles, injectInto, storageCalls } from '../strace.ts'

// While it stores and emails one lead, the program makes fewer calls of each kind than this.
const MAX_POINTS = 200

// Storage calls are counted only on the database files. `write` is counted on any file, because the program uses it for
// sockets and the log.
const calls = [...storageCalls, 'write'] as const

export const systemCallKills: FaultCase[] = calls.map((call) => ({
  family: 'kill',
  fault: `the server is killed at each ${call} while it stores and emails a lead`,
  expected: 'no acknowledged lead is lost or duplicated',
  needs: ['strace'],
  async run() {
    await using harness = await openHarness()
    let points = 0
    for (let count = 1; count <= MAX_POINTS; count++) {
      if (!(await killAt(harness, call, count))) break
      points++
    }
    expectThat(points > 0, 'never killed')
    expectThat(points < MAX_POINTS, `more than ${MAX_POINTS} calls`)
    const seen = await harness.recoverAndVerify()
    return `killed at ${points} points: ${seen}`
  },
}))

/** Kills the program at the nth call while it stores and emails a lead. Returns false if there are fewer calls. */
async function killAt(harness: Awaited<ReturnType<typeof openHarness>>, call: string, nth: number) {
  const program = await harness.start()
  const { length } = harness.relay.emails
  const paths = storageCalls.includes(call as 'fsync') ? databaseFiles(harness.dataDir) : []
  const tracer = await injectInto(program.pid, `${call}:signal=KILL:when=${nth}`, paths)
  const entry = await harness.client.post(program.url)
  const isDead = () => entry.statuses.at(-1) === 0
  if (!isDead()) {
    const delivered = () => harness.relay.emails.length > length
    await Promise.race([program.exited, waitUntil('the email is sent', delivered)])
  }
  // The nth call may come later: when the email is recorded as sent, or when the program checkpoints the WAL as it stops.
  const code = await Promise.race([program.exited, program.stop()])
  await tracer.detach()
  expectThat(code === null || code === 0, `exit code ${code}`)
  return code === null
}
