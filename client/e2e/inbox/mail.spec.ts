import { expect, pageTest as test } from '../test.ts'
import { fakeInbox, waitForApplication } from './fake-inbox.ts'

for (const [mail, sent] of [
  [{ state: 'failed', since: null, failed: 3 }, 'Sending 3 messages again.'],
  [{ state: 'waiting', since: null, failed: 0 }, 'Sending one message again.'],
] as const)
  test(`if the email status is "${mail.state}", the owner can send the emails again, and a notice says how many`, async ({
    page,
  }) => {
    const { state } = await fakeInbox(page)
    state.mail = mail
    await page.goto('/inbox')

    await page.getByRole('button', { name: 'Send again' }).click()

    await expect(page.getByText(sent)).toBeVisible()
    expect(state.calls.map(({ call }) => call)).toContain('POST /mail/resend')
    await expect(page.getByRole('button', { name: 'Send again' })).toHaveCount(0)
  })

for (const mail of ['held', 'files'] as const)
  test(`if the email status is "${mail}", the page says so, and nothing can be sent again`, async ({
    page,
  }) => {
    const { state } = await fakeInbox(page)
    state.mail = { state: mail, since: null, failed: 2 }
    await page.goto('/inbox')
    await waitForApplication(page)

    await expect(
      page.getByText(mail === 'held' ? 'Email is on hold.' : 'No mail server is set up.'),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send again' })).toHaveCount(0)
  })
