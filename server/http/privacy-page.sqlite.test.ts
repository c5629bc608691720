import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readers, retention, stored } from '#brand/words/privacy.ts'
import { contactFieldNames } from '#shared/contact-request.ts'
import { RETENTION } from '#shared/pages.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { exchange } from '../proof/testing/contact.ts'
import { applySettings } from './apply-settings.ts'

const site = useTestApp()

// The page as the build writes it, with the sentences for all settings.
const built = readFileSync(join(fileURLToPath(import.meta.resolve('#dist')), 'pages/privacy.html'), 'utf8')
const deletedAfter = (time: string) => retention.deleted.replace(RETENTION, time)
const conditional = [retention.kept, deletedAfter('1 day'), deletedAfter('365 days'), readers.program]

test.each([
  [0, false, [retention.kept]],
  [1, false, [deletedAfter('1 day')]],
  [365, true, [deletedAfter('365 days'), readers.program]],
])(
  'with retentionDays=%i and postsLeads=%s, the privacy page contains only these optional sentences: %j',
  (retentionDays, postsLeads, sentences) => {
    const page = applySettings(built, 'https://roofs.example', { retentionDays, postsLeads })

    expect(conditional.filter((sentence) => page.includes(`>${sentence}<`))).toEqual(sentences)
    expect(page).not.toMatch(/%RETENTION%|%SETTINGS%|%SITE_URL%|<li><\/li>/)
  },
)

test('the privacy page names each field of the form, and gives the script the age at which we delete', () => {
  const page = applySettings(built, 'https://roofs.example', { retentionDays: 30, postsLeads: false })

  const [entries] = stored.items
  expect(entries?.text.split(/, | and /)).toHaveLength(contactFieldNames.length)
  expect(page).toContain(`>${entries?.text}<`)
  expect(page).toContain('data-retention="30 days"')
})

test('the server applies RETENTION_DAYS and LEAD_WEBHOOK_URL to the privacy page', async () => {
  Object.assign(site.context.env, { RETENTION_DAYS: 365, webhook: { url: '', secret: '' } })

  const { body } = await exchange(site.app, { path: '/privacy' })

  // The page of this test has its own sentences.
  expect(String(body)).toMatch(/Deleted 365 days after it arrives\..*A program\./s)
  expect(String(body)).not.toContain('Kept')
})

test.each([
  ['/privacy/', '/privacy'],
  ['/Privacy', '/privacy'],
  ['/PRIVACY//?utm_source=sign', '/privacy'],
  ['//', '/'],
])('redirects %j, which the router in the browser accepts, to %j', async (path, location) => {
  const { status, headers } = await exchange(site.app, { path })

  expect([status, headers.location]).toEqual([308, location])
})
