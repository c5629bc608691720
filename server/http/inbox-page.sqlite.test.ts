import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import request from 'supertest'
import { expect, test } from 'vitest'
import { manifestPath, workerPath } from '#shared/inbox/api.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { postContact } from '../proof/testing/contact.ts'

const site = useTestApp()
const withoutInbox = useTestApp({ hasInbox: false })

const addresses = ['/inbox', '/inbox/', '/inbox/sign-in', '/inbox/Q-7K3M-9QXD?view=won', '/inbox/a/b']

test.each(addresses)(
  'at %s, everyone gets the same document, and browsers revalidate it each time',
  async (path) => {
    const page = await request(site.app).get(path).expect(200)

    expect(page.text).toContain('<title>Inbox</title>')
    expect(page.headers).toMatchObject({
      'x-robots-tag': 'noindex',
      'cache-control': 'no-cache',
      'x-frame-options': 'DENY',
    })
    expect(page.headers['set-cookie']).toBeUndefined()
  },
)

test('the document, which draws the first rows by itself, has no library in it', () => {
  const built = join(fileURLToPath(import.meta.resolve('#dist')), 'pages/inbox.html')
  expect(readFileSync(built).length).toBeLessThan(45_000)
})

test.each([...addresses, manifestPath, workerPath, '/assets/inbox-123.js', '/api/session'])(
  'with INBOX=off, %s responds with 404',
  async (path) => {
    await request(withoutInbox.app).get(path).expect(404)
  },
)

test('with INBOX=off, the contact form works as before', async () => {
  await postContact(withoutInbox.app).expect(200)
})
