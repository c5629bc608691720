import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupName } from '../backup/backup-files.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { checkBackups } from './backups.ts'

const HOUR_MS = 60 * 60 * 1000

const site = useTestApp()
/** What doctor says this many hours after the last backup. Only the names of backups matter. */
async function check(hours: number, everyHours = 24, offsiteName?: string) {
  const at = site.clock.now
  const { BACKUP_DIR } = site.env
  mkdirSync(BACKUP_DIR, { recursive: true })
  writeFileSync(join(BACKUP_DIR, backupName(at)), '')
  mkdirSync(join(site.dataDir, 'offsite'), { recursive: true })
  if (offsiteName !== undefined)
    writeFileSync(join(site.dataDir, 'offsite', 'offsite.json'), JSON.stringify({ backup: offsiteName }))
  const found = await checkBackups({
    ...{ db: site.db, env: { ...site.env, BACKUP_EVERY_HOURS: everyHours }, mountInfo: '' },
    now: new Date(at.getTime() + hours * HOUR_MS),
    command: (words: string) => `docker compose exec web ${words}`,
  } as never)
  return found.map(({ state, seen, advice }) => [state, seen, advice].filter(Boolean).join(': '))
}

test.each([
  [24, [1, 27, 51]],
  [6, [7, 9, 15]],
  [168, [100, 171, 339]],
])(
  'with a backup every %i hours, backups that are %j hours old are rated ok, warning and problem, respectively',
  async (everyHours, ages) => {
    const states = []
    for (const hours of ages) states.push((await check(hours, everyHours))[0]?.split(':')[0])

    expect(states).toEqual(['ok', 'warning', 'problem'])
  },
)

test('without an offsite backup, the disk of the backup is mentioned', async () => {
  expect((await check(1))[1]).toMatch(
    /^warning: The last backup is on the same disk as the leads.*BACKUP_DIR.*offsite profile/,
  )
  expect(await check(1, 24, backupName(site.clock.now))).toEqual([
    'ok: The last backup is 1 hour old.',
    'ok: The last offsite backup is 1 hour old.',
  ])
  expect((await check(1, 24, '')).at(-1)).toMatch(
    /^warning: There is no offsite backup yet\.: .*docker compose logs offsite/,
  )
})
