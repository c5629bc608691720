import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page, Request } from '@playwright/test'
import { readMessage } from '../../../server/mailbox/read-message.ts'
import { createTakeIn } from '../../../server/mailbox/take-in.ts'
import { writtenIn } from '../../../server/mailbox/words.ts'
import { hasDovecot, startDovecot } from '../../../server/proof/testing/dovecot.ts'
import { hold } from '../test.ts'
import { ben, expect, openLead, type Site, test } from './test.ts'

// After her request.
const at = '2026-03-04T19:00:00.000Z'
const photo = readFileSync(join(import.meta.dirname, '../../brand/public/work/ridgeline-roofing-phone.jpg'))
const plan = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 256))

const part = (type: string, name: string, bytes: Buffer) =>
  `--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${bytes.toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n`

/** Dana sends two files, which are in the mailbox. */
async function sendFiles(site: Site, imapUrl: string) {
  const sent = Buffer.from(
    `From: Dana <dana@example.com>\r\nMessage-ID: <files@example.com>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nHere is the storefront.\r\n${part('image/jpeg', 'photo.jpg', photo)}${part('application/pdf', 'Dach plan (final).pdf', plan)}--b--\r\n`,
  )
  const attachments = ['photo.jpg (12 kB)', 'Dach plan (final).pdf (200 kB)']
  const message = { ...(await readMessage(sent.subarray(0, 128_000))), attachments, receivedAt: at }
  await site.run((deps) => createTakeIn({ ...deps, readWords: writtenIn })(message, 'inbox'))
  await site.restart({ IMAP_URL: imapUrl })
  return sent
}

/** What the browser saves after a press. */
async function saved(page: Page, name: string, role: 'button' | 'link' = 'button') {
  const download = page.waitForEvent('download')
  await page.getByRole(role, { name }).click()
  const file = await download
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
}

test('a file that came with a message is saved when it is pressed, and a picture is shown; what goes wrong is said beside it', async ({
  page,
  context,
  site,
}) => {
  test.skip(!hasDovecot(), 'needs Dovecot')
  await using server = await startDovecot()
  const sent = await sendFiles(site, server.url)
  server.deliver(sent, 'INBOX', new Date(at))
  await site.signIn(context, { owner: ben })
  await page.setViewportSize({ width: 390, height: 780 })
  await openLead(page, site, 'Dana')

  const { name, bytes } = await saved(page, 'Dach plan (final).pdf')
  expect([name, bytes.equals(plan)]).toEqual(['Dach plan (final).pdf', true])
  await expect(page.getByRole('article').locator('img')).toHaveCount(0)

  const below = page.getByRole('button', { name: 'Dach plan (final).pdf' })
  const release = await hold(page, '**/files/0')
  await page.getByRole('button', { name: 'photo.jpg' }).click()
  await expect(page.getByText('Fetching photo.jpg…')).toBeVisible()
  const place = await below.boundingBox()
  release()
  const picture = page.getByRole('img', { name: 'photo.jpg' })
  await expect(picture).toBeVisible()
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(1)
  const { y = 0, height = 0 } = (await picture.boundingBox()) ?? {}
  expect(height).toBe(240)
  expect(y + height).toBeLessThan(place?.y ?? 0)
  expect((await saved(page, 'Save photo.jpg', 'link')).bytes.equals(photo)).toBe(true)
  expect(await below.boundingBox()).toEqual(place)

  await server.stop()
  await page.getByRole('button', { name: 'Dach plan (final).pdf' }).click()
  await expect(page.getByText('The mailbox cannot be reached right now.')).toBeVisible()
  await server.start()
  expect((await saved(page, 'Try again: Dach plan (final).pdf')).bytes.equals(plan)).toBe(true)
  server.remove(1)
  await page.getByRole('button', { name: 'Dach plan (final).pdf' }).click()
  await expect(page.getByText('This email is no longer in the mailbox.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0)
})

test('files that are pressed together come one after another: the mailbox gives only two at a time', async ({
  page,
  site,
}) => {
  test.skip(!hasDovecot(), 'needs Dovecot')
  await using server = await startDovecot()
  server.deliver(await sendFiles(site, server.url), 'INBOX', new Date(at))
  await openLead(page, site, 'Dana')
  const release = await hold(page, '**/files/0')
  const order: string[] = []
  const note = (request: Request) =>
    request.url().includes('/files/') && order.push(`ask ${request.url().at(-1)}`)
  page.on('request', note)
  await page.getByRole('button', { name: 'photo.jpg' }).click()
  const saving = saved(page, 'Dach plan (final).pdf')
  await expect(page.getByText('Fetching Dach plan (final).pdf…')).toBeVisible()
  order.push('go on')
  release()
  expect((await saving).bytes.equals(plan)).toBe(true)
  expect(order).toEqual(['ask 0', 'go on', 'ask 1'])
})
