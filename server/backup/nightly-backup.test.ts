import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { openDatabase } from '../database/open-database.ts'
import { newDataDir } from '../testing/start-program.ts'
import { createNightlyBackup, isBackupDue } from './nightly-backup.ts'

test.each([
  ['2026-03-02T08:00:00Z', '2026-03-02T12:00:00Z', false],
  ['2026-03-02T08:00:05Z', '2026-03-03T07:59:00Z', false],
  ['2026-03-02T08:00:05Z', '2026-03-03T08:00:00Z', true],
  ['2026-02-20T20:00:00Z', '2026-03-02T02:00:00Z', true],
])('with the last backup from %s, at %s one is due: %s', (last, now, expected) => {
  expect(isBackupDue(new Date(last), new Date(now))).toBe(expected)
})

test('a failure is logged and tried again, and a success is not repeated', async () => {
  using folder = newDataDir()
  const db = await openDatabase(folder.path)
  const lines: string[] = []
  const takeBackup = vi.fn(async () => ({ path: '', bytes: 1, leads: 1 }))
  takeBackup.mockRejectedValueOnce(new Error('disk full'))
  const nightly = createNightlyBackup({
    db,
    dataDir: folder.path,
    log: pino({ base: null }, { write: (line: string) => lines.push(line) }),
    now: () => new Date('2026-03-02T08:00:00Z'),
    takeBackup,
  })
  const steady = vi.spyOn(performance, 'now').mockReturnValue(0)

  await nightly.look()
  await nightly.look()
  expect([takeBackup.mock.calls.length, lines.join()]).toEqual([1, expect.stringContaining('disk full')])

  steady.mockReturnValue(16 * 60 * 1000)
  await nightly.look()
  expect([takeBackup.mock.calls.length, lines.join()]).toEqual([2, expect.stringContaining('backup taken')])
})

test('a stop cuts off the backup that is under way, and says nothing of it', async () => {
  using folder = newDataDir()
  const db = await openDatabase(folder.path)
  const lines: string[] = []
  const nightly = createNightlyBackup({
    db,
    dataDir: folder.path,
    log: pino({ base: null }, { write: (line: string) => lines.push(line) }),
    now: () => new Date('2026-03-02T08:00:00Z'),
    takeBackup: (signal) =>
      new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason))),
  })

  void nightly.look()
  await nightly.stop()

  expect(lines).toEqual([])
})
