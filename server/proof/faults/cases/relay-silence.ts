import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { hangUp, type Stage, stages } from '../../testing/relay.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'

// The program waits 30 s for a mail server's greeting, and 5 minutes for each later reply. These limits
// add 5 or 10 s of slack.
const deadlinesMs = { connect: 35_000, rcpt: 310_000, dot: 310_000 } as const
const SLOW_GREETING_MS = 20_000
const STOP_MS = 5000
const SLOW_REPLY_MS = 300

const silent = () => undefined
const shortStages: Stage[] = ['dot']

export const relaySilence: FaultCase[] = [
  ...stages.map(
    (stage): FaultCase => ({
      family: 'relay',
      isLong: !shortStages.includes(stage),
      fault: `silent at ${stage} while the program stops`,
      expected: 'an immediate 200; exit 0 within 5 s; the email is sent after the restart',
      run: () => stopWhileSilent(stage),
    }),
  ),
  {
    family: 'relay',
    fault: 'permanently silent at connect, at rcpt or at dot',
    expected: 'the attempt ends within 35 s or 310 s; the email is sent once the mail server works again',
    isLong: true,
    run: async () =>
      (await Promise.all((['connect', 'rcpt', 'dot'] as const).map(waitForTimeout))).join('; '),
  },
  {
    family: 'relay',
    fault: `a greeting after ${SLOW_GREETING_MS / 1000} s`,
    expected: 'the email is sent on the first attempt',
    isLong: true,
    run: slowGreeting,
  },
  {
    family: 'relay',
    fault: `${SLOW_REPLY_MS} ms for each reply`,
    expected: 'every email is sent, and no visitor waits for an email',
    isLong: true,
    run: slowReplies,
  },
  {
    family: 'relay',
    fault: 'hangs up at the first connection',
    expected: 'the email is sent about a minute later',
    isLong: true,
    run: retryAfterHangUp,
  },
  ...(['smtps', 'smtp'] as const).map(
    (scheme): FaultCase => ({
      family: 'relay',
      // A short run tests only STARTTLS.
      isLong: scheme === 'smtps',
      fault: `an untrusted certificate (${scheme === 'smtps' ? 'TLS' : 'STARTTLS'})`,
      expected: 'nothing is sent, the email stays queued',
      run: () => badCertificate(scheme),
    }),
  ),
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

async function slowGreeting(): Promise<string> {
  await using harness = await openHarness()
  harness.relay.misbehave('connect', async () => {
    await sleep(SLOW_GREETING_MS)
    return harness.relay.usual.connect
  })
  const program = await harness.start()
  await harness.client.post(program.url)
  await waitUntil('the email arrives', () => harness.relay.emails.length === 1, 2 * SLOW_GREETING_MS)
  await waitUntil('the attempt is recorded', () => hasAttempt(harness))
  const attempts = await harness.query((stored) => stored.attempts())
  expectThat(attempts === 1, `${attempts} attempts`)
  await program.stop()
  return `1 attempt; ${await harness.verify()}`
}

async function slowReplies(): Promise<string> {
  await using harness = await openHarness()
  const program = await harness.start()
  for (const stage of stages)
    harness.relay.misbehave(stage, async () => {
      await sleep(SLOW_REPLY_MS)
      return harness.relay.usual[stage]
    })
  const startedAt = performance.now()
  for (let count = 0; count < 8; count++) await harness.client.post(program.url)
  const tookMs = performance.now() - startedAt
  expectThat(tookMs < 8 * SLOW_REPLY_MS, `8 responses took ${tookMs.toFixed()} ms`)
  await harness.drain(program.url)
  await program.stop()
  return `8 responses in ${tookMs.toFixed()} ms; ${await harness.verify()}`
}

async function retryAfterHangUp(): Promise<string> {
  await using harness = await openHarness()
  harness.relay.misbehave('connect', hangUp)
  const program = await harness.start()
  await harness.client.post(program.url)
  await waitUntil('the first attempt is recorded', () => hasAttempt(harness))
  harness.relay.heal()
  const tookMs = await waitUntil(
    'the email arrives on the second attempt',
    () => harness.relay.emails.length === 1,
    90_000,
  )
  expectThat(tookMs > 45_000, `retried after only ${tookMs.toFixed()} ms`)
  await program.stop()
  return `after ${(tookMs / 1000).toFixed(1)} s; ${await harness.recoverAndVerify()}`
}

async function badCertificate(scheme: 'smtp' | 'smtps'): Promise<string> {
  let accepted = 0
  // Without `logger: false`, smtp-server would warn about its built-in self-signed certificate.
  const impostor = new SMTPServer({
    logger: false,
    secure: scheme === 'smtps',
    authOptional: true,
    onData: (stream, _session, done) => {
      accepted++
      stream.resume().on('end', () => done())
    },
  })
  impostor.on('error', () => {})
  const server = impostor.listen(0, '127.0.0.1')
  await using harness = await openHarness()
  await waitUntil('the impostor listens', () => server.listening)
  const { port } = server.address() as AddressInfo
  const program = await harness.start({ env: { SMTP_URL: `${scheme}://127.0.0.1:${port}` } })
  await harness.client.post(program.url)
  await waitUntil('the attempt is recorded', () => hasAttempt(harness))
  const waiting = await harness.query((stored) => stored.waitingEmails())
  expectThat(accepted === 0 && waiting === 1, `${accepted} emails sent, ${waiting} waiting`)
  await program.stop()
  impostor.close()
  return `0 emails sent, 1 waiting; ${await harness.recoverAndVerify()}`
}

const hasAttempt = async (harness: Harness) => (await harness.query((stored) => stored.attempts())) > 0
