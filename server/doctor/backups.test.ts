import { expect, test } from 'vitest'
import type { NewestBackup } from '../backup/newest-backup.ts'
import { checkBackups } from './backups.ts'

const now = new Date('2026-03-02T12:00:00Z')
const HOUR_MS = 60 * 60 * 1000
const ago = (hours: number) => new Date(now.getTime() - hours * HOUR_MS)
const check = (newest: Partial<NewestBackup>, everyHours = 24) =>
  checkBackups({ at: ago(1), risks: [], offsite: undefined, ...newest }, now, everyHours).map(
    ({ state, seen }) => `${state}: ${seen}`,
  )
const offsite = (hours: number) => ({ name: 'leads.db', at: ago(hours) })

test('a missing backup is a warning', () => {
  expect(check({ at: undefined })).toEqual(['warning: There is no backup yet.'])
})

test.each([
  [24, [1, 27, 51]],
  [6, [7, 9, 15]],
  [1, [1, 4, 5]],
  [168, [100, 171, 339]],
])(
  'with a backup every %i hours, backups that are %j hours old are rated ok, warning and problem, respectively',
  (everyHours, ages) => {
    const states = ages.map((hours) => check({ at: ago(hours) }, everyHours)[0]?.split(':')[0])

    expect(states).toEqual(['ok', 'warning', 'problem'])
  },
)

test.each([
  ['same disk', /^warning: The backup of 2026-03-02T11:00Z is on the same disk as the leads/],
  ['disk does not last', /^warning: The backup of 2026-03-02T11:00Z is on a temporary disk/],
  ['gone', /^problem: The backup of 2026-03-02T11:00Z is gone/],
] as const)('the risk "%s" is reported', (risk, expected) => {
  expect(check({ risks: [risk] })[1]).toMatch(expected)
})

test('for a backup on the same disk, the advice mentions BACKUP_DIR and the offsite profile', () => {
  const [, sameDisk] = checkBackups({ at: ago(1), risks: ['same disk'], offsite: undefined }, now, 24)

  expect(sameDisk?.advice).toMatch(/BACKUP_DIR.*offsite profile/)
})

test('the newest offsite backup is reported with its age', () => {
  expect(check({ offsite: offsite(3) })[1]).toBe('ok: The newest offsite backup is 3 hours old.')
  expect(check({ offsite: offsite(27) })[1]).toBe('warning: The newest offsite backup is 27 hours old.')
  expect(check({ offsite: offsite(51) })[1]).toMatch(/^problem: /)
  expect(check({ offsite: { name: null, at: null } })[1]).toBe('warning: There is no offsite backup yet.')
})
