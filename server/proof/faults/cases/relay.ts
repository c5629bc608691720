import { hangUp, type Misbehavior, type Stage, stages } from '../../testing/relay.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { dropAll } from '../drop-packets.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'
import { pour } from '../pour.ts'

// outcome.test.ts decides about many more replies.
const replies: FaultCase[] = [
  ...stages.map((stage) => fault(stage, `hangs up at ${stage}`, hangUp)),
  ...stages.map((stage) => fault(stage, `421 at ${stage}`, '421 4.3.2 going down')),
  fault('auth', 'wrong password', '535 5.7.8 bad credentials'),
  fault('rcpt', 'mailbox unknown', '550 5.1.1 no'),
  fault('dot', 'a daily limit', '550 5.4.5 Daily user sending limit exceeded'),
  fault('rcpt', 'a full mailbox', '552 5.2.2 The mailbox is full'),
  fault('connect', 'not SMTP', 'HTTP/1.1 400 Bad Request\r\n\r\n'),
  fault('connect', 'an endless banner line', (socket) => pour(socket, '2'.repeat(1 << 20))),
  fault('connect', 'an endless series of banner lines', (socket) =>
    pour(socket, '220-welcome\r\n'.repeat(100_000)),
  ),
  control({
    what: 'an email sent twice, because the reply was lost, is recognizable as the same',
    weakness: 'a random Message-ID',
    check: (weakness) => misbehaveOnce('dot', hangUp, weakness),
  }),
]

function fault(stage: Stage, words: string, how: Misbehavior): FaultCase {
  return {
    family: 'relay',
    fault: words,
    expected: 'an immediate 200; the email stays queued; once the mail server works again, a retry succeeds',
    run: () => misbehaveOnce(stage, how),
  }
}

async function misbehaveOnce(stage: Stage, how: Misbehavior, weakness?: Weakness): Promise<string> {
  await using harness = await openHarness()
  const program = await harness.start({ weakness })
  harness.relay.misbehave(stage, how)
  const entry = await harness.client.post(program.url)
  expectThat(entry.reference !== undefined, `response ${entry.statuses}`)
  await waitUntil('the attempt is recorded', () => hasAttempt(harness))
  const waiting = await harness.query((stored) => stored.waitingEmails())
  expectThat(waiting === 1, `${waiting} emails wait`)
  const health = await fetch(`${program.url}/healthz/mail`)
  // What the server retries is reported only after 15 minutes.
  expectThat(health.status === 200, `/healthz/mail: ${health.status}`)

  harness.relay.heal()
  await harness.drain(program.url)
  expectThat((await program.stop()) === 0, "didn't exit with 0")
  return `200, queued; ${await harness.verify()}`
}

const hasAttempt = async (harness: Harness) => (await harness.query((stored) => stored.attempts())) > 0

// The program waits 30 s for a connection and for a mail server's greeting, and 5 minutes for each
// later reply. Mail servers may take minutes to reply to the final dot, and an attempt that ends
// before sends the email twice.
const timeouts = { connect: 30_000, rcpt: 300_000, dot: 300_000 } as const
const SLACK_MS = 10_000
const STOP_MS = 5000

// A loopback address that nothing else uses.
const BLACKHOLE = '127.66.66.66'

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
    expected: 'the attempt ends after 30 or 300 s; the email is sent once the mail server works again',
    run: async () =>
      (await Promise.all((['connect', 'rcpt', 'dot'] as const).map((stage) => waitForTimeout(stage)))).join(
        '; ',
      ),
  },
  {
    family: 'relay',
    fault: 'a firewall drops every packet to the mail server',
    expected: 'the attempt ends after 30 s; the email is sent once the mail server can be reached',
    needs: ['firewall'],
    async run() {
      using _firewall = dropAll(BLACKHOLE)
      return await waitForTimeout('connect', { env: { SMTP_URL: `smtp://${BLACKHOLE}:25` } })
    },
  },
  control({
    what: 'the server waits for a late reply to the final dot',
    weakness: 'a 30 s timeout after the final dot',
    isSqliteOnly: true,
    check: (weakness) => waitForTimeout('dot', { weakness }),
  }),
]

const silent = () => undefined

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

async function waitForTimeout(stage: keyof typeof timeouts, how: Parameters<Harness['start']>[0] = {}) {
  await using harness = await openHarness()
  const program = await harness.start(how)
  harness.relay.misbehave(stage, silent)
  await harness.client.post(program.url)
  const expectedMs = timeouts[stage]
  const isOver = () => hasAttempt(harness)
  const tookMs = await waitUntil('the attempt is over', isOver, expectedMs + SLACK_MS)
  const seen = `${stage}: attempt over after ${(tookMs / 1000).toFixed(1)} s`
  expectThat(tookMs > expectedMs - SLACK_MS, seen)
  await program.stop()
  return `${seen}; ${await harness.recoverAndVerify()}`
}

export const relayCases = [...silences, ...replies]
