import type { Page } from '@playwright/test'
import { leaveEmpty } from '#brand/words/form.ts'
import { contactPath, formTokenPath, honeypotField } from '#shared/contact-request.ts'
import { suspectReasonsIn } from '../../server/proof/testing/inbox.ts'
import { expect, fieldOf, sentToast, siteTest as test, waitForHydration } from './test.ts'

const honeypot = (page: Page) => page.locator(`input[name="${honeypotField}"]`)
const contactResponse = (page: Page) =>
  page.waitForResponse((response) => response.url().endsWith(contactPath))

const fillLikeABot = (page: Page) =>
  page.locator('form').evaluate((form: HTMLFormElement) => {
    for (const input of form.querySelectorAll<HTMLInputElement>('input, textarea'))
      input.value = input.type === 'email' ? 'bot@example.com' : input.type === 'url' ? '' : 'something'
    form.requestSubmit()
  })

test('the honeypot is invisible, and a request sent at once with it filled in is confirmed as usual, but emailed as suspected spam', async ({
  page,
  inbox,
}) => {
  await page.goto('/')
  await waitForHydration(page)
  await test.step('the honeypot is invisible, not focusable and hidden from screen readers', async () => {
    const rightEdge = () => honeypot(page).evaluate((input) => input.getBoundingClientRect().right)
    // The styles below the first view load after the first paint.
    await expect.poll(rightEdge).toBeLessThan(0)
    await expect(honeypot(page)).toHaveCSS('display', /^(?!none)/)
    await expect(honeypot(page)).toHaveAttribute('tabindex', '-1')
    await expect(honeypot(page)).toHaveAttribute('autocomplete', 'off')
    await expect(page.getByRole('textbox', { name: leaveEmpty })).toHaveCount(0)
  })

  const token = page.waitForResponse((response) => response.url().endsWith(formTokenPath))
  await fieldOf(page, 'First name').focus()
  await (await token).finished()
  const response = contactResponse(page)
  await fillLikeABot(page)

  expect((await response).status()).toBe(200)
  expect(await (await response).json()).toEqual({ success: true, reference: expect.stringMatching(/^Q-/) })
  await expect(sentToast(page)).toBeVisible()
  await expect.poll(() => inbox.emails.length).toBe(1)
  const reasons = suspectReasonsIn(await inbox.read(0))
  expect(reasons).toContain('A field that people cannot see was filled in')
  expect(reasons).toContain('Sent within 2 seconds of the first use of the form')
})
