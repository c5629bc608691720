import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fakeTimeLibrary } from '../../testing/needs.ts'
import { newDataDir } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'

// The worker polls for due emails every 5 s. The rest is slack.
const NEXT_POLL_MS = 9000

export const clockJump: FaultCase = {
  family: 'clock',
  fault: 'the clock jumps a year ahead, back to the present, and a day back, each time while an email waits',
  expected: 'each email is sent at the next poll, and none fails',
  needs: ['faketime'],
  isLong: true,
  async run() {
    using folder = newDataDir()
    const clock = join(folder.path, 'clock')
    writeFileSync(clock, '+0d')
    await using harness = await openHarness()
    const program = await harness.start({
      env: {
        LD_PRELOAD: fakeTimeLibrary(),
        FAKETIME_TIMESTAMP_FILE: clock,
        FAKETIME_NO_CACHE: '1',
        FAKETIME_DONT_FAKE_MONOTONIC: '1',
      },
    })
    const waits: number[] = []
    for (const offset of ['+365d', '+0d', '-1d']) {
      await deferEmail(harness, program.url)
      writeFileSync(clock, offset)
      const mailed = harness.relay.emails.length
      harness.relay.heal()
      waits.push(
        await waitUntil(
          `the email is sent at ${offset}`,
          () => harness.relay.emails.length > mailed,
          NEXT_POLL_MS,
        ),
      )
    }
    expectThat((await harness.query((stored) => stored.failedEmails())) === 0, 'an email failed')
    await program.stop()
    return `sent after ${waits.map((wait) => `${(wait / 1000).toFixed(1)} s`).join(', ')}; ${await harness.verify()}`
  },
}

/** Posts a lead whose email the mail server defers. */
async function deferEmail(harness: Harness, url: string) {
  const attempts = () => harness.query((stored) => stored.attempts())
  const before = await attempts()
  harness.relay.misbehave('mail', '450 4.3.0 later')
  await harness.client.post(url)
  await waitUntil('the email is deferred', async () => (await attempts()) > before)
}
