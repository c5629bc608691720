import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { databaseFiles, injectInto, storageCalls } from '../strace.ts'
import { openTrial } from '../trial.ts'

// Only so that a case ends; there are fewer calls than this.
const MOST_POINTS = 200
const SHORT_STEP = 15
const inShortForm: readonly string[] = ['fsync', 'pwrite64', 'write']

/** Storage calls are counted on the database's files only; `write` is what goes to sockets, log and mail. */
const calls = [...storageCalls, 'write'] as const

export const systemCallKills: FaultCase[] = calls.map((call) => ({
  family: 'kill',
  fault: `killed at each ${call} of a post and its delivery`,
  expected: 'nothing acknowledged is lost, nothing is double',
  needs: ['strace'],
  isLong: !inShortForm.includes(call),
  async run({ isShort }) {
    await using trial = await openTrial()
    const step = isShort ? SHORT_STEP : 1
    let points = 0
    for (let count = 1; count <= MOST_POINTS; count += step) {
      if (!(await isKilledAt(trial, call, count))) break
      points++
    }
    expectThat(points > 0, 'never killed')
    expectThat(points * step < MOST_POINTS, `more than ${MOST_POINTS} calls`)
    const seen = await trial.recoverAndVerify()
    return `killed at ${points} points: ${seen}`
  },
}))

/** A post and its delivery with a kill at the nth call. False when there are fewer calls than that. */
async function isKilledAt(trial: Awaited<ReturnType<typeof openTrial>>, call: string, nth: number) {
  const program = await trial.start()
  const { length } = trial.relay.mails
  const paths = storageCalls.includes(call as 'fsync') ? databaseFiles(trial.dataDir) : []
  const tracer = await injectInto(program.pid, `${call}:signal=KILL:when=${nth}`, paths)
  const entry = await trial.ledger.post(program.url)
  const isDead = () => entry.statuses.at(-1) === 0
  if (!isDead()) {
    const delivered = () => trial.relay.mails.length > length
    await Promise.race([program.exited, waitUntil('the mail has left', delivered)])
  }
  // The mark of the mail comes after it, and a stop moves the log into the database.
  const code = await Promise.race([program.exited, program.stop()])
  await tracer.detach()
  expectThat(code === null || code === 0, `exit code ${code}`)
  return code === null
}
