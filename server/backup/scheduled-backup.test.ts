import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '../database/sqlite.ts'
import { listBackups } from '../files/backup-list.ts'
import { readErasures, writeErasures } from '../leads/erase/erasures.ts'
import { newDataDir } from '../proof/testing/start-program.ts'
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

test('a backup that is due is taken, with the records of erased people next to it, or the job fails with the reason', async () => {
  using folder = newDataDir()
  const db = await openDatabase(folder.path)
  onTestFinished(() => db.destroy())
  const erasure = { hash: 'hash', upTo: '2026-03-01T08:00:00.000Z', at: '2026-03-01T08:00:00.000Z' }
  // The database knows one of them, and the file another.
  const earlier = { hash: 'other', upTo: '2026-02-01T08:00:00.000Z', at: '2026-02-01T08:00:00.000Z' }
  await writeErasures(db, [erasure])
  writeFileSync(join(folder.path, 'erasures.json'), JSON.stringify([earlier]))
  const backUpIfDue = createScheduledBackup({
    db,
    env: { BACKUP_DIR: folder.path, BACKUP_EVERY_HOURS: 24 },
    log: pino({ enabled: false }),
    now: () => new Date('2026-03-02T08:00:00Z'),
  })
  onTestFinished(() => void vi.unstubAllEnvs())
  vi.stubEnv('BACKUP_DIR', folder.path)
  vi.stubEnv('DATA_DIR', '/nowhere')
  await expect(backUpIfDue(AbortSignal.abort())).rejects.toThrow(/aborted/)
  await expect(backUpIfDue(new AbortController().signal)).rejects.toThrow(/^Nothing to back up/)
  vi.stubEnv('DATA_DIR', folder.path)

  await backUpIfDue(new AbortController().signal)

  expect(listBackups(folder.path)).toHaveLength(1)
  expect(readErasures(folder.path)).toEqual([earlier, erasure])
})
