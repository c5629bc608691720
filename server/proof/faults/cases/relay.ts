import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../database/schema.ts'
import { hangUp, type Misbehavior, type Stage, stages } from '../../testing/relay.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { control, faultsOf } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { dropAll } from '../drop-packets.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'
import { runCli } from '../run-cli.ts'

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

// send-error.test.ts decides about many more replies.
const replies: FaultCase[] = [
  ...stages.map((stage) => fault(stage, `hangs up at ${stage}`, hangUp, 'queued')),
  ...stages.map((stage) => fault(stage, `421 at ${stage}`, '421 4.3.2 going down', 'queued')),
  fault('auth', 'wrong password', '535 5.7.8 bad credentials', 'queued'),
  fault('rcpt', 'mailbox unknown', '550 5.1.1 no', 'queued'),
  fault('dot', 'a daily limit', '550 5.4.5 Daily user sending limit exceeded', 'queued'),
  fault('rcpt', 'a full mailbox', '552 5.2.2 The mailbox is full', 'queued'),
  fault('connect', 'not SMTP', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'queued'),
  fault('connect', 'an endless banner line', endless('2'.repeat(1 << 20)), 'queued'),
  fault('connect', 'an endless series of banner lines', endless('220-welcome\r\n'.repeat(100_000)), 'queued'),
]

function fault(stage: Stage, words: string, how: Misbehavior, state: State): FaultCase {
  return {
    family: 'relay',
    inShortRun: words === 'hangs up at dot',
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
    // After some refusals, the next attempt comes at once, without the visitor's text.
    async () => (await harness.query((stored) => stored.attempts())) > 0,
  )
  const failed = await harness.query((stored) => stored.failedEmails())
  expectThat((failed === 1 ? 'failed' : 'queued') === state, failed ? 'failed' : 'still queued')
  const health = await fetch(`${program.url}/healthz/mail`)
  // What the server retries is reported only after 15 minutes.
  expectThat(health.status === (state === 'failed' ? 503 : 200), `/healthz/mail: ${health.status}`)

  harness.relay.heal()
  await harness.drain(program.url)
  expectThat((await program.stop()) === 0, "didn't exit with 0")
  return `200, ${state}; ${await harness.verify()}`
}

// The program waits 30 s for a mail server's greeting, and 5 minutes for each later reply. These limits
// add 5 or 10 s of slack.
const deadlinesMs = { connect: 35_000, rcpt: 310_000, dot: 310_000 } as const
const STOP_MS = 5000

const silent = () => undefined

const silences: FaultCase[] = [
  ...stages.map(
    (stage): FaultCase => ({
      family: 'relay',
      fault: `silent at ${stage} while the program stops`,
      expected: 'an immediate 200; exit 0 within 5 s; the email is sent after the restart',
      run: () => stopWhileSilent(stage),
    }),
  ),
  {
    family: 'relay',
    fault: 'permanently silent at connect, at rcpt or at dot',
    expected: 'the attempt ends within 35 s or 310 s; the email is sent once the mail server works again',
    run: async () =>
      (await Promise.all((['connect', 'rcpt', 'dot'] as const).map(waitForTimeout))).join('; '),
  },
  {
    family: 'relay',
    fault: 'a reply 45 s after the final dot',
    expected: 'one attempt and one email',
    run: () => answerLate(),
  },
  control({
    what: 'the server waits for a late reply to the final dot',
    weakness: 'a 30 s timeout after the final dot',
    isSqliteOnly: true,
    check: (weakness) => faultsOf(answerLate(weakness)),
  }),
]

async function stopWhileSilent(stage: Stage): Promise<string> {
  await using harness = await openHarness()
  const program = await harness.start()
  harness.relay.misbehave(stage, silent)
  const entry = await harness.client.post(program.url)
  expectThat(entry.reference !== undefined, `response ${entry.statuses}`)
  await waitUntil('the email is being sent', () => harness.relay.reached.has(stage))
  const startedAt = performance.now()
  const code = await program.stop()
  const tookMs = performance.now() - startedAt
  expectThat(code === 0 && tookMs < STOP_MS, `exit ${code} after ${tookMs.toFixed()} ms`)
  return `exit 0 after ${tookMs.toFixed()} ms; ${await harness.recoverAndVerify()}`
}

async function waitForTimeout(stage: keyof typeof deadlinesMs): Promise<string> {
  await using harness = await openHarness()
  const program = await harness.start()
  harness.relay.misbehave(stage, silent)
  await harness.client.post(program.url)
  const tookMs = await waitUntil('the attempt is over', () => hasAttempt(harness), deadlinesMs[stage])
  harness.relay.heal()
  await harness.drain(program.url)
  await program.stop()
  return `${stage}: attempt over after ${(tookMs / 1000).toFixed(1)} s; ${await harness.verify()}`
}

async function answerLate(weakness?: Weakness): Promise<string> {
  await using harness = await openHarness()
  harness.relay.misbehave('dot', async () => {
    await sleep(45_000)
    return harness.relay.usual.dot
  })
  const program = await harness.start({ weakness })
  await harness.client.post(program.url)
  await waitUntil(
    'the email is recorded as sent',
    async () => (await harness.query((stored) => stored.waitingEmails())) === 0,
    60_000,
  )
  const attempts = await harness.query((stored) => stored.attempts())
  expectThat(attempts === 1 && harness.relay.emails.length === 1, `${attempts} attempts`)
  await program.stop()
  return `1 attempt; ${await harness.verify()}`
}

const hasAttempt = async (harness: Harness) => (await harness.query((stored) => stored.attempts())) > 0

// A loopback address that nothing else uses.
const BLACKHOLE = '127.66.66.66'
// The connection timeout of 30 s, plus slack.
const ATTEMPT_ENDS_MS = 35_000

const firewall: FaultCase = {
  family: 'relay',
  fault: 'a firewall drops every packet to the mail server',
  expected:
    'an immediate 200; the attempt ends after 30 s; the email is sent once the mail server can be reached',
  needs: ['firewall'],
  async run() {
    await using harness = await openHarness()
    using _firewall = dropAll(BLACKHOLE)
    const program = await harness.start({ env: { SMTP_URL: `smtp://${BLACKHOLE}:25` } })
    const startedAt = performance.now()
    await harness.client.post(program.url)
    const answeredMs = performance.now() - startedAt
    const tookMs = await waitUntil('the attempt is over', () => hasAttempt(harness), ATTEMPT_ENDS_MS)
    expectThat(answeredMs < 1000, `the response took ${answeredMs.toFixed()} ms`)
    await program.stop()
    return `200 after ${answeredMs.toFixed()} ms, attempt over after ${(tookMs / 1000).toFixed(1)} s; ${await harness.recoverAndVerify()}`
  },
}

const mailboxGone: FaultCase[] = [
  {
    family: 'relay',
    fault: "for four days, the mail server knows one owner's mailbox no longer",
    expected:
      'the other owner is told; doctor, the inbox, and /healthz/mail say what is wrong; then, after a restart, the email arrives',
    run: () => loseMailbox(),
  },
  control({
    what: "an owner's email outlives a mailbox that is gone for days",
    weakness: 'a refused mailbox ends an email at once',
    isSqliteOnly: true,
    check: (weakness) => faultsOf(loseMailbox(weakness)),
  }),
]

async function loseMailbox(weakness?: Weakness): Promise<string> {
  await using harness = await openHarness()
  const { relay, query } = harness
  const env = { MAIL_TO: 'gone@agency.example,here@agency.example' }
  const program = await harness.start({ env, weakness })
  relay.misbehave('rcpt', (_socket, line) =>
    line.includes('gone@') ? '550 5.1.1 no such user' : relay.usual.rcpt,
  )
  await harness.client.post(program.url)
  await waitUntil('both emails were tried', async () => (await query((stored) => stored.attempts())) === 2)
  const queuedAt = new Date(Date.now() - 4 * 24 * 60 * 60_000).toISOString()
  const isRefused = (db: Database) => db.updateTable('outbox').where('recipient', 'like', 'gone@%')
  const attempts = () => query((stored) => stored.attempts())
  for (const [attempt, tries] of [2, 10, 40, 60].entries()) {
    await query(({ db }) =>
      isRefused(db).set({ attempts: tries, queued_at: queuedAt, due_at: queuedAt }).execute(),
    )
    await waitUntil(`attempt ${tries}`, async () => (await attempts()) > attempt + 2)
  }
  const health = await fetch(`${program.url}/healthz/mail`)
  const { status } = (await health.json()) as { status: string }
  expectThat(status === 'refused', `/healthz/mail: ${status}`)
  const doctor = await runCli(['doctor'], { env: { ...harness.settings, ...env, SMTP_URL: relay.url } })
  expectThat(
    /Refused emails to you.*550 5\.1\.1[\s\S]*bring that mailbox back/.test(doctor.output),
    `doctor: ${doctor.output}`,
  )
  await program.stop()

  relay.heal()
  const restarted = await harness.start({ env })
  await waitUntil('it has arrived', async () => (await query((stored) => stored.waitingEmails())) === 0)
  await restarted.stop()
  const recipients = relay.emails.map(({ recipient }) => recipient).toSorted()
  expectThat(recipients.join() === env.MAIL_TO, `arrived: ${recipients}`)
  return 'refused, and said so; then both have arrived'
}

export const relayCases = [...silences, ...replies, ...mailboxGone, firewall]
