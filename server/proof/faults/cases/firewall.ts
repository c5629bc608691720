import { execFileSync } from 'node:child_process'
import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'

// A loopback address that nothing else uses.
const HOLE = '127.66.66.66'
// 30 s to connect, plus slack.
const GIVEN_UP_MS = 35_000

export const firewall: FaultCase = {
  family: 'relay',
  fault: 'a firewall drops every packet to the mail server',
  expected: 'immediate 200, the attempt ends after 30 s, the email is sent once the mail server works again',
  needs: ['firewall'],
  isLong: true,
  async run() {
    await using harness = await openHarness()
    const rule = ['OUTPUT', '--destination', HOLE, '--protocol', 'tcp', '--jump', 'DROP']
    execFileSync('iptables', ['--insert', ...rule])
    try {
      const program = await harness.start({ env: { SMTP_URL: `smtp://${HOLE}:25` } })
      const startedAt = performance.now()
      await harness.client.post(program.url)
      const answered = performance.now() - startedAt
      const hasAttempt = async () => (await harness.query((stored) => stored.attempts())) === 1
      const took = await waitUntil('the attempt is over', hasAttempt, GIVEN_UP_MS)
      expectThat(answered < 1000, `the response took ${answered.toFixed()} ms`)
      await program.stop()
      return `200 after ${answered.toFixed()} ms, attempt over after ${(took / 1000).toFixed(1)} s; ${await harness.recoverAndVerify()}`
    } finally {
      execFileSync('iptables', ['--delete', ...rule])
    }
  },
}
