import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { backupName } from '../../backup/backup-files.ts'
import { copyLeads } from '../../backup/copy-leads.ts'
import { createDatabaseFile } from '../../database/sqlite.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { samplePasskey, signInEmails } from '../../proof/testing/owner-browser.ts'
import { reportRestore } from './sign-in-email.ts'

const owner = 'ann@agency.example'
const site = useTestApp({ mailTo: [owner, 'bob@agency.example'] })

const backupAt = new Date('2026-03-01T08:00:00Z')
/** Restores a backup that has a passkey into the site's database. */
async function restore() {
  const path = join(site.dataDir, backupName(backupAt))
  const backup = await createDatabaseFile(path)
  onTestFinished(() => backup.destroy())
  await backup.insertInto('passkeys').values(samplePasskey()).execute()
  await copyLeads(backup, site.db, { backup: path })
}

test('after a restore, each owner gets one email, even if two replicas start at the same time', async () => {
  await restore()

  await Promise.all([site.inbox.start(), reportRestore(site.inboxDeps)])
  await reportRestore(site.inboxDeps)

  const news = { what: 'restored', backupAt: backupAt.toISOString() }
  expect(await signInEmails(site)).toMatchObject([
    { recipient: owner, ...news },
    { recipient: 'bob@agency.example', ...news },
  ])
})
