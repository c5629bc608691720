import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { buildTestApp } from '../../proof/testing/build-test-app.ts'
import { storeLead } from '../../proof/testing/store-lead.ts'
import { createChildReader } from './child-reader.ts'

let site: Awaited<ReturnType<typeof buildTestApp>>
beforeEach(async () => {
  site = await buildTestApp()
})
afterEach(() => site[Symbol.asyncDispose]())

function openReader(options: { readMs?: number; idleMs?: number } = {}) {
  const reader = createChildReader({
    env: { PATH: process.env.PATH, ...site.env },
    // On a busy machine, a process takes seconds to start.
    readMs: 20_000,
    ...options,
  })
  onTestFinished(reader.stop)
  const list = async () => {
    const now = '2026-03-02T15:00:00.000Z'
    return (await reader.run('list', { view: 'open', after: undefined, now })).leads.length
  }
  return { ...reader, list }
}

const isRunning = (pid: number | undefined) => {
  try {
    return process.kill(Number(pid), 0)
  } catch {
    return false
  }
}

test('the reader process starts with the first read, sees new leads, and ends when it is idle', async () => {
  const reader = openReader({ idleMs: 300 })
  expect(reader.pid()).toBeUndefined()

  expect(await reader.list()).toBe(0)
  await storeLead(site.db)
  expect(await reader.list()).toBe(1)
  const idle = reader.pid()
  await expect.poll(() => isRunning(idle)).toBe(false)
})

test('after a crash or a hanging read, the next read starts a new process; if the server stops, it fails immediately', async () => {
  const reader = openReader({ readMs: 10_000 })
  await reader.list()
  const crashed = Number(reader.pid())
  const interrupted = reader.list()
  process.kill(crashed, 'SIGKILL')
  await expect(interrupted).rejects.toThrow('ended')

  expect(await reader.list()).toBe(0)
  const hanging = Number(reader.pid())
  expect(hanging).not.toBe(crashed)
  process.kill(hanging, 'SIGSTOP')
  await expect(reader.list()).rejects.toThrow('too long')
  await expect.poll(() => isRunning(hanging)).toBe(false)

  expect(await reader.list()).toBe(0)
  const last = Number(reader.pid())
  process.kill(last, 'SIGSTOP')
  const reading = reader.list()
  reader.stop()
  await expect(reading).rejects.toThrow('stopping')
  await expect.poll(() => isRunning(last)).toBe(false)
})

test('if the database cannot be opened, the read fails', async () => {
  const reader = createChildReader({ env: { ...site.env, DATA_DIR: '/nowhere' }, readMs: 18_000 })
  onTestFinished(reader.stop)

  await expect(
    reader.run('week', { week: '2026-03-02', until: '2026-03-09', now: '2026-03-16T15:00:00.000Z' }),
  ).rejects.toThrow('open')
  await expect.poll(reader.pid).toBeUndefined()
})
