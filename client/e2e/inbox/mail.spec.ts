import { openInbox } from '../../../server/proof/testing/inbox.ts'
import { anna, expect, test, waitForStream } from './test.ts'

test('while the mail server is down, a bar says so, "Send again" never says that nothing is left, and everything is sent later', async ({
  page,
  context,
  site,
}) => {
  const bar = page.getByText('Email is not going out.')
  await page.goto('/inbox')
  await waitForStream(page)
  await site.mail.close()
  await site.arrive('Nora', 'New')
  await site.advance(16 * 60_000, context)
  await expect(bar).toBeVisible()

  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(page.getByText(/^Sending .* again\.$|^The server is already sending them\.$/)).toBeVisible()
  await expect(bar).toBeVisible()
  const mail = await openInbox({ port: site.mail.port })

  await expect(bar).toHaveCount(0)
  await expect.poll(() => mail.emails.length).toBe(3)
  await mail.close()
})

test('a bar says that an owner gets no emails, and they can be sent again', async ({ page, site }) => {
  await page.goto('/inbox')
  await waitForStream(page)
  site.mail.refuse(anna, '550 5.1.1 No such user here.')
  await site.arrive('Nora', 'New')
  await expect(page.getByText('Some emails were not delivered.')).toBeVisible()

  site.mail.accept(anna)
  await page.getByRole('button', { name: 'Send again' }).click()

  await expect(page.getByText('Sending one message again.')).toBeVisible()
  await expect(page.getByText('Some emails were not delivered.')).toHaveCount(0)
})

test('if the settings no longer name a mail server, a bar says so, and nothing can be sent again', async ({
  page,
  site,
}) => {
  await site.restart({ SMTP_URL: undefined })
  await page.goto('/inbox')

  await expect(page.getByText('Email is on hold.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send again' })).toHaveCount(0)
})
