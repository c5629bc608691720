import { createHash } from 'node:crypto'
import type { Page, Route } from '@playwright/test'
import { hold } from '../test.ts'
import { answerBox, expect, heading, open, openReply, passTimeUntil, press, test } from './test.ts'

const sendButton = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })
const lines = (page: Page) => page.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
const status = (page: Page, text: string) => page.getByRole('status').getByText(text, { exact: true })
const waiting = 'Wait until all files are uploaded, or remove them.'

/** A file of this size, with bytes of all values. */
const fileOf = (name: string, size = 1_000, mimeType = 'application/octet-stream') => ({
  name,
  mimeType,
  buffer: Buffer.from(Uint8Array.from({ length: size }, (_, index) => (index * 7919 + (index >> 8)) & 255)),
})
type Chosen = ReturnType<typeof fileOf>

const choose = (page: Page, ...files: Chosen[]) => page.locator('input[type=file]').setInputFiles(files)

/** Pastes files or drops them on the sheet. */
const transfer = (page: Page, how: 'paste' | 'dragover' | 'drop', files: Chosen[], text = '') =>
  answerBox(page).evaluate(
    (box, { how, files, text }) => {
      const data = new DataTransfer()
      if (text) data.setData('text/plain', text)
      for (const { name, mimeType, bytes } of files)
        data.items.add(new File([Uint8Array.from(bytes)], name, { type: mimeType }))
      const init = { bubbles: true, cancelable: true }
      const event =
        how === 'paste'
          ? new ClipboardEvent(how, { ...init, clipboardData: data })
          : new DragEvent(how, { ...init, dataTransfer: data })
      box.dispatchEvent(event)
      return event.defaultPrevented
    },
    { how, text, files: files.map(({ buffer, ...file }) => ({ ...file, bytes: [...buffer] })) },
  )

const hashOf = (bytes: string | ArrayBuffer | Uint8Array) =>
  createHash('sha256')
    .update(typeof bytes === 'string' ? bytes : new Uint8Array(bytes))
    .digest('hex')

test('files go with an answer, come back when it is undone, and arrive as they were', async ({
  page,
  context,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 780 })
  await openReply(page, site)
  await answerBox(page).fill('The plan is attached.')
  await expect(status(page, 'You mention an attachment, but there is none.')).toBeVisible()
  const plan = fileOf('Plan Łódź.pdf', 300_000, 'application/pdf')
  const [photo, sketch] = [fileOf('roof.jpg', 60_000, 'image/jpeg'), fileOf('sketch.png', 2_000, 'image/png')]
  await choose(page, plan)
  await expect(status(page, '1 file attached.')).toBeVisible()
  // Otherwise, a file that was removed could not be chosen again.
  await expect(page.locator('input[type=file]')).toHaveValue('')
  expect(await transfer(page, 'paste', [photo], 'Words and their picture')).toBe(false)
  expect(await transfer(page, 'paste', [photo], 'roof.jpg')).toBe(true)
  expect(await transfer(page, 'dragover', [sketch])).toBe(true)
  await expect(page.locator('dialog[data-over=true]')).toBeVisible()
  expect(await transfer(page, 'drop', [sketch])).toBe(true)
  await expect(page.locator('dialog[data-over=true]')).toHaveCount(0)
  await expect(status(page, '3 files attached.')).toBeVisible()
  await press(page, 'Remove sketch.png')
  await expect(lines(page)).toHaveCount(2)
  await press(page, 'Send')
  await press(page, 'Undo')
  await expect(status(page, '2 files attached.')).toBeVisible()
  await expect(lines(page).first()).toContainText('Plan Łódź.pdf 300 kB')
  await press(page, 'Send')

  await expect(page.getByText('Sending your answer to Dana')).toBeVisible()
  await site.advance(16_000, context)
  await site.sendEmails()
  const [answer] = await site.mail.to('dana@example.com')
  const received = answer?.attachments.map(({ filename, mimeType, content }) => [
    filename,
    mimeType,
    hashOf(content),
  ])
  expect(received).toEqual(
    [plan, photo].map(({ name, mimeType, buffer }) => [name, mimeType, hashOf(buffer)]),
  )
})

test('an upload goes on when the connection returns, without the sheet, and stays after a reload', async ({
  page,
  context,
  site,
}) => {
  await openReply(page, site)
  await answerBox(page).fill('Two files.')
  const release = await hold(page, '**/files/*')
  await choose(page, fileOf('first.pdf'))
  await expect(lines(page)).toContainText(['0 % of 1 kB'])
  await expect(lines(page)).toBeVisible()
  release()
  await expect(status(page, '1 file attached.')).toBeVisible()
  await context.setOffline(true)
  await choose(page, fileOf('second.pdf'))
  const trouble = lines(page).getByText('The server cannot be reached.')
  await passTimeUntil(page, trouble)
  await expect(sendButton(page)).toBeDisabled()
  await expect(page.getByText(waiting)).toBeVisible()
  await press(page, 'Close')
  expect(await page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(
    false,
  )

  await context.setOffline(false)
  await press(page, 'Reply')
  await passTimeUntil(page, status(page, '2 files attached.'))
  await expect(sendButton(page)).toBeEnabled()
  expect(await page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(true)
  await open(page, await site.path('Dana'))
  await press(page, 'Reply')
  await expect(lines(page)).toContainText(['first.pdf', 'second.pdf'])
  expect(await site.db.selectFrom('files').select('name').execute()).toHaveLength(2)
})

test('too many, too large and empty files are refused in words, and a canceled one is not sent', async ({
  page,
  site,
}) => {
  await openReply(page, site)
  await answerBox(page).fill('Many files.')
  const refused = page.getByRole('alert').filter({ hasText: 'Not attached:' })
  await choose(page, fileOf('storefront.mov', 11_000_000))
  await expect(refused).toContainText(
    'storefront.mov (11 MB). An answer can have at most 10 files with 10 MB',
  )
  // Only the button, which says "Send anyway", sends the answer now.
  await answerBox(page).press('Control+Enter')
  await expect(page.getByRole('button', { name: 'Send anyway' })).toBeVisible()
  await choose(page, fileOf('empty.txt', 0))
  await expect(refused).toContainText('empty.txt (0 kB)')
  await choose(page, ...Array.from({ length: 11 }, (_, index) => fileOf(`${index}.pdf`)))
  await expect(refused).toContainText('Not attached: 10.pdf (1 kB).')
  // They are uploaded one after another.
  await expect(status(page, '10 files attached.')).toBeVisible({ timeout: 60_000 })
  await press(page, 'Remove 3.pdf')
  await expect(lines(page)).toHaveCount(9)

  // A server that never responds.
  await page.route('**/files/*', () => {}, { times: 1 })
  await choose(page, fileOf('slow.pdf'))
  await expect(page.getByText(waiting)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel slow.pdf' }).focus()
  const removed = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.keyboard.press('Enter')
  // Otherwise, it could get the response that is meant for the next upload.
  await removed
  await expect(lines(page)).toHaveCount(9)
  await expect(heading(page, 'Answer Dana Whitfield')).toBeFocused()
  await expect(sendButton(page)).toBeEnabled()

  await page.route('**/files/*', (route) => route.fulfill({ status: 409, json: { detail: 'No room.' } }), {
    times: 1,
  })
  await choose(page, fileOf('late.pdf'))
  await expect(lines(page).getByText('No room.')).toBeVisible()
  await expect(sendButton(page)).toBeDisabled()
  await expect(page.getByText('A file is not attached: try again, or remove it.')).toBeVisible()
  await press(page, 'Try again late.pdf')
  await expect(status(page, '10 files attached.')).toBeVisible()
  expect(await site.answers('Dana')).toEqual([])
})

test('a file that was removed on another device is not sent silently', async ({ page, site }) => {
  await openReply(page, site)
  await answerBox(page).fill('With a plan.')
  await choose(page, fileOf('plan.pdf'), fileOf('photo.jpg'))
  await expect(status(page, '2 files attached.')).toBeVisible()
  const removeAndSend = async (route: Route) => {
    await site.db.deleteFrom('files').where('name', '=', 'plan.pdf').execute()
    await route.continue()
  }
  await page.route('**/answers', removeAndSend, { times: 1 })
  await press(page, 'Send')
  await expect(page.getByText(/^Not sent: A file is no longer attached/)).toBeVisible()
  await expect(lines(page)).toHaveCount(1)
  await press(page, 'Send')
  await expect(page.getByText('Sending your answer to Dana')).toBeVisible()
})
