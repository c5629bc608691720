import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { officeClock } from '../../leads/office-time.ts'
import { fakeTimeLibrary } from '../testing/needs.ts'
import { newDataDir } from '../testing/start-program.ts'
import { waitUntil } from '../testing/wait-until.ts'
import type { Harness } from './harness.ts'

/** Sets the clock in this file to a local time of the office. Returns the environment of a program that follows it. */
function setClock(file: string, time: string) {
  const aheadMs = officeClock.fromWall(Date.parse(time)) - Date.now()
  const seconds = Math.round(aheadMs / 1000)
  writeFileSync(file, `${seconds >= 0 ? '+' : ''}${seconds}s`)
  const env = {
    LD_PRELOAD: fakeTimeLibrary(),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  return { aheadMs, env }
}

export type Timeline = ReturnType<typeof createTimeline>

// The jobs of each minute run when the program starts. This gives them time to queue their emails.
const JOBS_MS = 1_000
const WAIT_MS = 60_000

/** Runs the program at one time after another. Its clock runs on from there. */
export function createTimeline(harness: Harness, { env, ...start }: Parameters<Harness['start']>[0] = {}) {
  const folder = newDataDir()
  const clock = join(folder.path, 'clock')
  let program: Awaited<ReturnType<Harness['start']>> | undefined
  let aheadMs = 0

  async function isIdle() {
    const at = new Date(Date.now() + aheadMs).toISOString()
    return (await harness.query((stored) => stored.dueEmails(at))) === 0
  }

  return {
    /** Starts the program again at a local time of the office. Resolves to its URL when no email is due anymore. */
    async goTo(time: string): Promise<string> {
      await program?.stop()
      const fake = setClock(clock, time)
      aheadMs = fake.aheadMs
      program = await harness.start({ ...start, env: { ...env, ...fake.env } })
      await sleep(JOBS_MS)
      await waitUntil(`no email is due at ${time}`, isIdle, WAIT_MS)
      return program.url
    },
    [Symbol.dispose]: () => rmSync(folder.path, { recursive: true, force: true }),
  }
}
