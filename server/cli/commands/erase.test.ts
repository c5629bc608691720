import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { english } from '#shared/computed-facts.ts'
import { backupsExpireAt } from '../../backup/erasures.ts'
import { takeBackup } from '../../backup/take-backup.ts'
import { testOnce, useTestApp } from '../../proof/testing/build-test-app.ts'
import { deliverToFiles } from '../../proof/testing/outbox.ts'
import { leadCommands } from '../../proof/testing/run-program.ts'

const site = useTestApp()

const { submit, run, runInChildProcess } = leadCommands(() => site)

test('erase requires confirmation, then removes a person from the database and the mail folder, and says until when backups have the person', async () => {
  await submit({ email: 'eve@example.com' })
  await submit({ message: 'from Ada' })
  await deliverToFiles(site)
  const { path } = await takeBackup(site.env, new Date())

  const unconfirmed = await runInChildProcess(['erase', 'eve@example.com'])
  expect([unconfirmed.code, unconfirmed.stderr]).toEqual([2, expect.stringContaining('Add --yes')])
  const { code, stdout } = await runInChildProcess(['erase', 'EVE@example.com', '--yes'])

  const until = backupsExpireAt(new Date()).toLocaleDateString(english, { dateStyle: 'long' })
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^Erased: 1 lead \(Q-.*\)\n +1 email and their delivery log\n +2 files in the mail folder\n/,
  )
  expect(stdout).toContain(
    `Backups can contain the person until ${until}. A restore erases the person again.`,
  )
  expect(existsSync(path)).toBe(true)
  expect((await run(['list', '--json'])).stdout).not.toContain('eve@')
})

testOnce('erase can run again, for example after it was interrupted', async () => {
  await run(['mark', (await submit({ email: 'eve@example.com' })).reference, 'won'])
  await run(['erase', 'eve@example.com', '--yes'])

  const { code, stdout } = await run(['erase', 'eve@example.com', '--yes'])

  expect([code, stdout]).toEqual([0, expect.stringContaining('Erased: 0 leads\n')])
})
