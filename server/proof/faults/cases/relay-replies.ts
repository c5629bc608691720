import type { Socket } from 'node:net'
import { hangUp, type Misbehavior, type Stage, stages } from '../../testing/relay.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'
import { fixableRefusals } from '../unreliable-relay.ts'

type State = 'queued' | 'failed'

/** Sends the chunk again and again until the client hangs up. */
const endless = (chunk: string) => (socket: Socket) => {
  const pour = () => {
    while (socket.writable && socket.write(chunk));
    if (socket.writable) socket.once('drain', pour)
  }
  pour()
  return undefined
}

// A short run includes only these two cases, because send-error.test.ts and outbox-worker.test.ts check the reply codes.
const inShortRun = ['hangs up at dot', 'an endless banner line']
// A 550 is about the mailbox only at RCPT. At the other stages, the operator can fix its cause.
const isAboutTheMailbox = (stage: Stage) => stage === 'rcpt'

const everyStage = stages.flatMap((stage) => [
  fault(stage, `450 at ${stage}`, '450 4.3.0 later', 'queued'),
  fault(stage, `421 at ${stage}`, '421 4.3.2 going down', 'queued'),
  fault(stage, `550 at ${stage}`, '550 5.1.1 no', isAboutTheMailbox(stage) ? 'failed' : 'queued'),
  fault(stage, `hangs up at ${stage}`, hangUp, 'queued'),
])

export const relayReplies: FaultCase[] = [
  ...everyStage,
  fault('auth', 'wrong password', '535 5.7.8 bad credentials', 'queued'),
  fault('rcpt', 'relaying denied', '550 5.7.1 relaying denied', 'queued'),
  fault('dot', 'mailbox full', '452 4.2.2 mailbox full', 'queued'),
  ...fixableRefusals.map(([stage, reply]) => fault(stage, `"${reply}" at ${stage}`, reply, 'queued')),
  fault('connect', 'not SMTP', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'queued'),
  fault('connect', 'an endless banner line', endless('2'.repeat(1 << 20)), 'queued'),
  fault('connect', 'an endless series of banner lines', endless('220-welcome\r\n'.repeat(100_000)), 'queued'),
  fault('dot', 'binary garbage', '\u0000\u00ff\u0007', 'queued'),
]

function fault(stage: Stage, words: string, how: Misbehavior, state: State): FaultCase {
  return {
    family: 'relay',
    isLong: !inShortRun.includes(words),
    fault: words,
    expected: `an immediate 200; the email's state is "${state}"; once the mail server works again, a retry succeeds`,
    run: () => misbehaveOnce(stage, how, state),
  }
}

async function misbehaveOnce(stage: Stage, how: Misbehavior, state: State): Promise<string> {
  await using harness = await openHarness()
  const program = await harness.start()
  harness.relay.misbehave(stage, how)
  const entry = await harness.client.post(program.url)
  expectThat(entry.reference !== undefined, `response ${entry.statuses}`)
  await waitUntil(
    'the attempt is recorded',
    async () => (await harness.query((stored) => stored.attempts())) === 1,
  )
  const failed = await harness.query((stored) => stored.failedEmails())
  expectThat((failed === 1 ? 'failed' : 'queued') === state, failed ? 'failed' : 'still queued')
  const health = await fetch(`${program.url}/healthz/mail`)
  // A permanent refusal (5xx) needs the operator's attention, so the health check reports it immediately.
  const isRefused = typeof how === 'string' && how.startsWith('5')
  expectThat(health.status === (isRefused ? 503 : 200), `/healthz/mail: ${health.status}`)

  harness.relay.heal()
  await harness.drain(program.url)
  expectThat((await program.stop()) === 0, "didn't exit with 0")
  return `200, ${state}; ${await harness.verify()}`
}
