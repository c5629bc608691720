import { expect, pageTest as test } from '../test.ts'
import { fakeInbox, waitForApplication } from './fake-inbox.ts'

test('a bar says which emails are not sent, and an owner can send those again that failed or wait', async ({
  page,
}) => {
  const { state } = await fakeInbox(page)
  const again = page.getByRole('button', { name: 'Send again' })
  const change = () => page.evaluate(() => window.dispatchEvent(new Event('fake-change')))
  await page.goto('/inbox')
  await waitForApplication(page)

  for (const [mail, sent] of [
    [{ state: 'failed', since: null, failed: 3 }, 'Sending 3 messages again.'],
    [{ state: 'waiting', since: null, failed: 0 }, 'Sending one message again.'],
  ] as const)
    await test.step(`if the email status is "${mail.state}", the owner can send the emails again, and a notice says how many`, async () => {
      state.mail = mail
      state.calls.length = 0
      await change()
      await again.click()
      await expect(page.getByText(sent)).toBeVisible()
      expect(state.calls.map(({ call }) => call)).toContain('POST /mail/resend')
      await expect(again).toHaveCount(0)
    })

  for (const [mail, text] of [
    ['held', 'Email is on hold.'],
    ['files', 'No mail server is set up.'],
  ] as const)
    await test.step(`if the email status is "${mail}", the page says so, and nothing can be sent again`, async () => {
      state.mail = { state: mail, since: null, failed: 2 }
      await change()
      await expect(page.getByText(text)).toBeVisible()
      await expect(again).toHaveCount(0)
    })
})
