import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { Email } from 'postal-mime'
import { hasDovecot, startDovecot } from '../../../server/proof/testing/dovecot.ts'
import { openInbox } from '../../../server/proof/testing/inbox.ts'
import { newDataDir, nodeSettings, startProgram } from '../../../server/proof/testing/start-program.ts'
import { test as browserTest, confirmation, expect, fillIn, open, sendButton } from '../test.ts'
import { anna, answerBox, ben, press, row } from './test.ts'

// In this test, the real program runs with a real SMTP and IMAP server.
const test = browserTest.extend<{ world: Awaited<ReturnType<typeof openWorld>> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from this pattern.
  world: async ({}, use) => {
    const world = await openWorld()
    await use(world)
    await world.close()
  },
  baseURL: ({ world }, use) => use(world.program.url),
})

async function openWorld() {
  const folder = newDataDir()
  const smtp = await openInbox()
  const mailbox = await startDovecot()
  mailbox.addMailbox()
  const program = await startProgram({
    DATA_DIR: folder.path,
    SMTP_URL: smtp.url,
    IMAP_URL: mailbox.url,
    MAIL_FROM: mailbox.user,
    MAIL_TO: `${anna}, ${ben}`,
  })
  return {
    smtp,
    mailbox,
    program,
    /** Signs an owner in with the link that an operator's command prints. */
    async signIn(page: Page, owner: string) {
      const command = join(import.meta.dirname, '../../../server/cli/leads.ts')
      const env = {
        ...nodeSettings,
        DATA_DIR: folder.path,
        PORT: String(program.port),
        MAIL_TO: `${anna}, ${ben}`,
      }
      const { stdout } = await promisify(execFile)(process.execPath, [command, 'sign-in', owner], { env })
      await page.goto(/http\S+/.exec(stdout)?.[0] ?? '')
      await expect(page.getByText('Live', { exact: true })).toBeVisible()
    },
    async close() {
      await program.stop()
      await mailbox[Symbol.asyncDispose]()
      await smtp.close()
      folder[Symbol.dispose]()
    },
  }
}

/** The bytes of the start of a real file of that kind, and more. */
const file = (name: string, mimeType: string, begin: string, size: number) => ({
  name,
  mimeType,
  buffer: Buffer.concat([Buffer.from(begin, 'latin1'), randomBytes(size)]),
})
const ours = [
  file('Quote for Ada.pdf', 'application/pdf', '%PDF-1.7\n', 300_000),
  file('storefront.jpg', 'image/jpeg', '\xff\xd8\xff\xe0', 200_000),
]
const theirs = [
  file('Straße & Dach.pdf', 'application/pdf', '%PDF-1.4\n', 100_000),
  {
    name: 'photo.png',
    mimeType: 'image/png',
    buffer: readFileSync(join(import.meta.dirname, '../../brand/public/icon-192.png')),
  },
  file('notes.txt', 'text/plain; charset=iso-8859-1', 'Gr\xfc\xdfe\r\nund\n', 3_000),
]

/** What a visitor sends back. */
const replyTo = ({ messageId, from }: Email) =>
  new MailComposer({
    from: 'Ada Lovelace <ada@example.com>',
    to: from?.address,
    subject: 'Re: Your request',
    inReplyTo: messageId,
    references: messageId,
    text: 'Here are the photos.',
    attachments: theirs.map(({ name, mimeType, buffer }) => ({
      filename: name,
      contentType: mimeType,
      content: buffer,
    })),
  })
    .compile()
    .build()

test.skip(!hasDovecot(), 'needs Dovecot')
test.setTimeout(180_000)

test('files of an answer reach the visitor, and those of the reply the second owner, byte for byte', async ({
  page,
  browser,
  world,
}) => {
  const { smtp, mailbox } = world
  const visitor = await browser.newPage({ baseURL: world.program.url })
  await open(visitor)
  await fillIn(visitor)
  await sendButton(visitor).click()
  await expect(confirmation(visitor)).toBeVisible()

  await world.signIn(page, anna)
  await row(page, 'Ada Lovelace').click()
  await press(page, 'Reply')
  await answerBox(page).fill('Here is the quote.')
  await page.locator('input[type=file]').setInputFiles(ours)
  await expect(page.getByRole('status').getByText('2 files attached.')).toBeVisible()
  await press(page, 'Send')
  const answers = async () => {
    const emails = await Promise.all(smtp.emails.map((_, index) => smtp.read(index)))
    return emails.filter(({ to }) => to?.[0]?.address === 'ada@example.com')
  }
  await expect.poll(async () => (await answers()).length, { timeout: 40_000 }).toBe(1)
  const [answer] = await answers()
  const arrived = answer?.attachments.map(({ filename, content }) => [
    filename,
    Buffer.from(content as ArrayBuffer),
  ])
  expect(arrived).toEqual(ours.map(({ name, buffer }) => [name, buffer]))

  mailbox.deliver(await replyTo(answer as Email))
  const second = await browser.newPage({ baseURL: world.program.url })
  await world.signIn(second, ben)
  await expect(row(second, 'Ada Lovelace')).toContainText('Here are the photos.', { timeout: 30_000 })
  await row(second, 'Ada Lovelace').click()
  for (const { name, buffer } of [...theirs, ...ours]) {
    const isPicture = /\.(?:png|jpg)$/.test(name)
    const button = second.getByRole('button', { name: new RegExp(`^${name.replace(/[.&]/g, '.')} \\(`) })
    if (isPicture) await button.click()
    if (name === 'photo.png')
      await expect(second.getByRole('img', { name })).toHaveJSProperty('naturalWidth', 192)
    const saving = second.waitForEvent('download')
    await (isPicture ? second.getByLabel(`Save ${name}`) : button).click()
    const download = await saving
    expect(download.suggestedFilename()).toBe(name)
    expect(readFileSync(await download.path()).equals(buffer)).toBe(true)
  }
})
