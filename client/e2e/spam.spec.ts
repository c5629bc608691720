import type { Page } from '@playwright/test'
import { contactPath, formTokenField, formTokenPath, trapField } from '#shared/contact-request.ts'
import { doubtsIn } from '../../server/proof/testing/inbox.ts'
import { expect, fieldOf, fillIn, sendButton, started, test } from './test.ts'

const trap = (page: Page) => page.locator(`input[name="${trapField}"]`)
const answerTo = (page: Page) => page.waitForResponse((response) => response.url().endsWith(contactPath))

/** Fills in every field and submits at once, like a bot. */
const fillLikeABot = (page: Page) =>
  page.locator('form').evaluate((form: HTMLFormElement) => {
    for (const input of form.querySelectorAll<HTMLInputElement>('input, textarea'))
      input.value = input.type === 'email' ? 'bot@example.com' : input.type === 'url' ? '' : 'something'
    form.requestSubmit()
  })

test('a filled trap and an instant submit are confirmed as usual, and emailed as a suspect', async ({
  page,
  inbox,
}) => {
  await page.goto('/')
  await started(page)
  const token = page.waitForResponse((response) => response.url().endsWith(formTokenPath))
  await fieldOf(page, 'First name').focus()
  await (await token).finished()
  const answer = answerTo(page)
  await fillLikeABot(page)

  expect((await answer).status()).toBe(200)
  expect(await (await answer).json()).toEqual({ success: true, reference: expect.stringMatching(/^Q-/) })
  await expect(page.getByRole('alert').filter({ hasText: 'Message Sent!' })).toBeVisible()
  await expect.poll(() => inbox.mails.length).toBe(1)
  const doubts = doubtsIn(await inbox.read(0))
  expect(doubts).toContain('A field that people cannot see was filled in')
  expect(doubts).toContain('Sent within 2 seconds of the first touch of the form')
})

test('a person is not a suspect and sends an empty trap with a token', async ({ page, inbox }) => {
  await page.goto('/')
  await fillIn(page)
  await page.waitForTimeout(2100)
  const answer = answerTo(page)
  await sendButton(page).click()

  expect((await answer).request().postDataJSON()).toMatchObject({
    [trapField]: '',
    [formTokenField]: expect.stringMatching(/^\d+\../),
  })
  await expect.poll(() => inbox.mails.length).toBe(1)
  expect(doubtsIn(await inbox.read(0))).toBeUndefined()
})

test('the trap is invisible, not focusable and hidden from screen readers', async ({ page }) => {
  await page.goto('/')

  const box = await trap(page).boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan(0)
  await expect(trap(page)).toHaveCSS('display', /^(?!none)/)
  await expect(trap(page)).toHaveAttribute('tabindex', '-1')
  await expect(trap(page)).toHaveAttribute('autocomplete', 'off')
  await expect(page.getByRole('textbox', { name: 'Please leave this empty' })).toHaveCount(0)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the trap is there, and a person is not a suspect', async ({ page, inbox }) => {
    await page.goto('/')
    await expect(trap(page)).toHaveCount(1)
    await fillIn(page, { Website: 'https://analytical.example' })
    await sendButton(page).click()

    await expect(page).toHaveURL(/#sent$/)
    await expect.poll(() => inbox.mails.length).toBe(1)
    expect(doubtsIn(await inbox.read(0))).toBeUndefined()
  })
})
