import { execFileSync } from 'node:child_process'
import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'

// A loopback address that nothing else uses.
const BLACKHOLE = '127.66.66.66'
// The connection timeout of 30 s, plus slack.
const ATTEMPT_ENDS_MS = 35_000

export const firewall: FaultCase = {
  family: 'relay',
  fault: 'a firewall drops every packet to the mail server',
  expected:
    'an immediate 200; the attempt ends after 30 s; the email is sent once the mail server can be reached',
  needs: ['firewall'],
  isLong: true,
  async run() {
    await using harness = await openHarness()
    const rule = ['OUTPUT', '--destination', BLACKHOLE, '--protocol', 'tcp', '--jump', 'DROP']
    execFileSync('iptables', ['--insert', ...rule])
    try {
      const program = await harness.start({ env: { SMTP_URL: `smtp://${BLACKHOLE}:25` } })
      const startedAt = performance.now()
      await harness.client.post(program.url)
      const answeredAfterMs = performance.now() - startedAt
      const hasAttempt = async () => (await harness.query((stored) => stored.attempts())) === 1
      const tookMs = await waitUntil('the attempt is over', hasAttempt, ATTEMPT_ENDS_MS)
      expectThat(answeredAfterMs < 1000, `the response took ${answeredAfterMs.toFixed()} ms`)
      await program.stop()
      return `200 after ${answeredAfterMs.toFixed()} ms, attempt over after ${(tookMs / 1000).toFixed(1)} s; ${await harness.recoverAndVerify()}`
    } finally {
      execFileSync('iptables', ['--delete', ...rule])
    }
  },
}
