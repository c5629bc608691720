import { pino } from 'pino'
import { expect, test } from 'vitest'
import { openDatabase } from '../database/sqlite.ts'
import { newDataDir } from '../proof/testing/start-program.ts'
import { readErasures, writeErasures } from './erasures.ts'
import { createScheduledBackup, isBackupDue } from './scheduled-backup.ts'

test.each([
  [24, '2026-03-02T08:00:00Z', '2026-03-02T12:00:00Z', false],
  [24, '2026-03-02T08:00:05Z', '2026-03-03T07:59:00Z', false],
  [24, '2026-03-02T08:00:05Z', '2026-03-03T08:00:00Z', true],
  [24, '2026-02-20T20:00:00Z', '2026-03-02T02:00:00Z', true],
  [6, '2026-03-02T08:00:05Z', '2026-03-02T13:59:00Z', false],
  [6, '2026-03-02T08:00:05Z', '2026-03-02T14:00:00Z', true],
  [1, '2026-03-02T14:00:05Z', '2026-03-02T14:59:59Z', false],
  [1, '2026-03-02T14:00:05Z', '2026-03-02T15:00:00Z', true],
  [168, '2026-02-26T08:00:05Z', '2026-03-05T07:59:00Z', false],
  [168, '2026-02-26T08:00:05Z', '2026-03-05T08:00:00Z', true],
])(
  'with a backup every %i h, starting at 8:00 UTC, and the last backup from %s, isBackupDue at %s returns %s',
  (hours, last, now, expected) => {
    expect(isBackupDue(new Date(last), new Date(now), hours)).toBe(expected)
  },
)

test('after a backup, the records of erased people are next to it', async () => {
  using folder = newDataDir()
  const db = await openDatabase(folder.path)
  const erasure = { hash: 'hash', upTo: '2026-03-01T08:00:00.000Z', at: '2026-03-01T08:00:00.000Z' }
  await writeErasures(db, [erasure])
  const backUpIfDue = createScheduledBackup({
    db,
    env: { BACKUP_DIR: folder.path, BACKUP_EVERY_HOURS: 24 },
    log: pino({ enabled: false }),
    now: () => new Date('2026-03-02T08:00:00Z'),
    takeBackup: async () => ({ path: '', bytes: 1, leads: 1 }),
  })

  await backUpIfDue(new AbortController().signal)

  expect(readErasures(folder.path)).toEqual([erasure])
})
