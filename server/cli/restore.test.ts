import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { takeBackup } from '../backup/take-backup.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { runInThisProcess } from '../proof/testing/run-program.ts'
import { describeRestore } from './describe-restore.ts'

const site = useTestApp()

test('restore lists the backups, and takes one by its name alone', async () => {
  await site.submit()
  const [{ path: earlier }, { path }] = [
    await takeBackup(site.env, new Date(0)),
    await takeBackup(site.env, new Date()),
  ]
  await site.db.destroy()
  const restore = (...file: string[]) => runInThisProcess('restore', file, site.env)

  expect((await restore()).stdout).toMatch(
    new RegExp(`\n${basename(path)} .* MB\n${basename(earlier)} .* MB\n$`),
  )
  const url = { ...site.env, DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/leads' }
  expect(await runInThisProcess('restore', [basename(path)], url)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^The leads are in PostgreSQL\. Stop/),
  })
  const { stdout, stderr } = await restore(basename(path))
  expect([stdout, stderr]).toEqual([
    expect.stringMatching(/^Restored 1 lead,/),
    expect.stringContaining('The current leads will be kept in '),
  ])
  expect(statSync(join(site.dataDir, 'leads.db')).mode & 0o777).toBe(0o600)
})

test('a restore says what is missing and what was erased again or withdrawn, even if it is only one', () => {
  const nothing = { leads: 0, messages: 0 }
  const done = { leads: 2, newestLeadAt: null, waitingEmails: 1, keptAs: '/old.db' }
  const leftBehind = { leads: 1, unnotified: 1 }
  const counts = { erasedAgain: { ...nothing, messages: 1 }, withdrawnAnswers: 1, withdrawnPosts: 1 }

  const said = describeRestore({ ...done, leftBehind, ...counts })

  for (const sentence of [
    'The leads from before the restore are kept in /old.db.',
    '1 lead arrived after this backup and is only in that file; you never got an email about it.',
    'Erased again: 0 leads and 1 message of people',
    '1 email was still waiting',
    '1 lead had an answer waiting',
    '1 lead was waiting to be posted',
  ])
    expect(said).toContain(sentence)
  const none = { erasedAgain: nothing, withdrawnAnswers: 0, withdrawnPosts: 0 }
  const quiet = describeRestore({
    ...done,
    waitingEmails: 0,
    leftBehind: { leads: 1, unnotified: 0 },
    ...none,
  })
  expect(quiet).not.toMatch(/Erased again|still waiting|had an answer|posted|never got/)
})
