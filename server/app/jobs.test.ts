import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { type Job, startJobs } from './jobs.ts'

const site = useTestApp()
const everyMs = 5

/** Starts jobs as a replica does. `lines` is its log. */
function startReplica(jobs: readonly Job[]) {
  const lines: string[] = []
  const log = pino({ base: null }, { write: (line: string) => lines.push(line) })
  return { lines, ...startJobs({ ...site.context, log }, jobs) }
}
const untilAborted = (signal: AbortSignal) =>
  new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)))

test('a job that fails is logged and runs again, and the other jobs go on', async () => {
  const failing = vi.fn(async () => Promise.reject(new Error('disk full')))
  const working = vi.fn(async () => {})

  const { lines, stop } = startReplica([
    { name: 'backup', everyMs, run: failing },
    { name: 'morning', everyMs, run: working },
  ])
  await vi.waitFor(() =>
    expect(Math.min(failing.mock.calls.length, working.mock.calls.length)).toBeGreaterThan(2),
  )
  await stop()

  expect(lines[0]).toMatch(/disk full.*"backup failed"/)
})

test('a job can wait for its first time, or never run', async () => {
  const first = vi.fn(async () => {})
  const others = vi.fn(async () => {})

  const { stop } = startReplica([
    { name: 'first', everyMs: 60_000, run: first },
    { name: 'later', everyMs, firstAfterMs: 60_000, run: others },
    { name: 'never', everyMs, isNeeded: false, run: others },
  ])
  await vi.waitFor(() => expect(first).toHaveBeenCalled())
  await sleep(2 * everyMs)
  await stop()

  expect([first.mock.calls.length, others.mock.calls.length]).toEqual([1, 0])
})

test('after the machine has slept, a job waits again as long as for its first time', async () => {
  const run = vi.fn(async () => {})
  const { stop } = startReplica([{ name: 'morning', everyMs, firstAfterMs: 800, run }])
  await vi.waitFor(() => expect(run).toHaveBeenCalled(), 5_000)

  site.advanceClock(60 * 60_000)
  await sleep(100)
  run.mockClear()
  await sleep(200)

  expect(run).not.toHaveBeenCalled()
  await vi.waitFor(() => expect(run.mock.calls.length).toBeGreaterThan(1), 5_000)
  await stop()
})

test('stop() aborts a running job, waits for it, and logs nothing', async () => {
  let hasEnded = false
  const end = async () => {
    await sleep(everyMs)
    hasEnded = true
  }
  const run = vi.fn((signal: AbortSignal) => untilAborted(signal).finally(end))
  const { lines, stop } = startReplica([{ name: 'backup', everyMs, run }])
  await vi.waitFor(() => expect(run).toHaveBeenCalled())

  await stop()

  expect([run.mock.calls.length, hasEnded, lines]).toEqual([1, true, []])
})
