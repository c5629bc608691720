import { readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeBackup } from '../../backup/take-backup.ts'
import { buildTestApp } from '../../proof/testing/build-test-app.ts'
import { deliverToFiles } from '../../proof/testing/file-delivery.ts'
import { leadCommands } from '../../proof/testing/lead-commands.ts'
import { isOnPostgres, testOnce } from '../../proof/testing/open-test-database.ts'
import { newDataDir } from '../../proof/testing/start-program.ts'

let site: Awaited<ReturnType<typeof buildTestApp>>
beforeEach(async () => {
  site = await buildTestApp()
})
afterEach(() => site[Symbol.asyncDispose]())

const { submit, run, runInChildProcess } = leadCommands(() => site)

testOnce.each(['<ada@example.com>', 'mailto:ada@example.com', '"Lovelace, Ada" <ada@example.com>'])(
  'erase accepts an address as copied from an email program: %s',
  async (copied) => {
    const { reference } = await submit()

    const { stdout } = await run(['erase', copied, '--yes', '--json'])

    expect(JSON.parse(stdout)).toMatchObject({ email: 'ada@example.com', references: [reference] })
  },
)

test('erase requires confirmation, then removes a person from the database, the mail folder and the backups', async () => {
  await submit({ email: 'eve@example.com' })
  await submit({ message: 'from Ada' })
  await deliverToFiles(site)
  const { path: backup } = await takeBackup(site.env, new Date())
  utimesSync(backup, 1e9, 1e9)

  const unconfirmed = await runInChildProcess(['erase', 'eve@example.com'])
  expect([unconfirmed.code, unconfirmed.stderr]).toEqual([2, expect.stringContaining('Add --yes')])
  const { stdout } = await runInChildProcess(['erase', 'EVE@example.com', '--yes', '--json'])

  expect(JSON.parse(stdout)).toMatchObject({
    emails: 1,
    emlFiles: 2,
    erasedFrom: [`backups/${basename(backup)}`],
    stillIn: [],
  })
  expect(statSync(backup).mtimeMs).toBe(1e12)
  const copy = new Sqlite(backup, { readonly: true })
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(copy.prepare('select message from leads').pluck().all()).toEqual(['from Ada'])
  copy.close()
})

testOnce('if erase cannot read some files, it lists them and fails', async () => {
  await submit({ email: 'eve@example.com' })
  symlinkSync('loop', join(site.dataDir, 'loop'))

  const erased = await run(['erase', 'eve@example.com', '--yes'])
  const again = await run(['erase', 'eve@example.com', '--yes'])

  expect([erased.code, again.code]).toEqual([1, 1])
  expect(erased.stdout).toContain('Could not be read and may contain the address: loop.')
  expect(again.stderr).toContain('but could not read: loop.')
})

testOnce('erase includes backups in a BACKUP_DIR outside the data directory', async () => {
  using other = newDataDir()
  await submit({ email: 'eve@example.com' })
  await deliverToFiles(site)
  const env = { ...site.env, BACKUP_DIR: other.path }
  const { path: backup } = await takeBackup(env, new Date())
  const unrelated = join(other.path, 'notes.txt')
  writeFileSync(unrelated, 'eve@example.com')

  const { stdout } = await run(['erase', 'eve@example.com', '--yes', '--json'], env)

  expect(JSON.parse(stdout)).toMatchObject({ erasedFrom: [backup], stillIn: [] })
  expect(readFileSync(backup, 'latin1')).not.toContain('eve@example.com')
  expect(readFileSync(unrelated, 'utf8')).toBe('eve@example.com')
})

test('erase reports files that still mention the address', async () => {
  await submit({ email: 'eve@example.com' })
  await submit({ email: 'bob@example.com', message: 'Write to eve@example.com.' })
  writeFileSync(join(site.dataDir, 'notes.txt'), 'call eve@example.com')

  const { code, stdout } = await run(['erase', 'eve@example.com', '-y'])

  expect(code).toBe(1)
  expect(stdout).toContain(`eve@example.com is still in: ${isOnPostgres ? '' : 'leads.db, '}notes.txt`)
})
