import type { Page } from '@playwright/test'
import { contactPath } from '#shared/contact-request.ts'
import { expect, fieldOf, fillIn, forgetFailedRequests, pageTest as test } from './test.ts'

// Quotes the texts that Plumbline specified. Most other tests take the texts from the agency's facts.

const textOf = (page: Page, selector: string) => page.locator(selector).first().innerText()
const toast = (page: Page) => page.getByRole('alert')

test('the page, its form and the 404 page have the specified texts', async ({ page, browserErrors }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/')
  await expect(page.locator('html')).toHaveAttribute('data-laid-out')

  for (const name of ['Services', 'Pricing', 'Portfolio', 'Contact', 'Get Quote'])
    await expect(page.getByRole('banner').getByRole('link', { name, exact: true })).toBeVisible()
  for (const name of ['Get Your Quote Now', 'View Our Work', 'Start Your Project'])
    await expect(page.getByRole('main').getByRole('link', { name })).toHaveCount(1)
  for (const name of ['Web Design', 'Real SEO', 'Reliable Hosting', 'Human Support', 'Common Questions'])
    await expect(page.getByRole('main').getByRole('heading', { name, exact: true })).toBeVisible()
  const pricing = await textOf(page, '#pricing')
  for (const [name, ...texts] of [
    ['Starter', '$200', '$49', '5-page site', '1 year hosting included'],
    ['Professional', '$400', '$79', '10 pages', '1 year hosting'],
    ['Enterprise', '$1,000', '$129', 'Unlimited pages', '2 years hosting', 'Quarterly strategy calls'],
  ] as const) {
    const card = page.getByRole('article', { name })
    for (const text of texts) await expect(card).toContainText(text)
    await expect(card.getByRole('link', { name: 'Get Started' })).toBeVisible()
  }
  await expect(page.getByRole('article', { name: 'Professional' })).toContainText('Most Popular')
  for (const name of ['99.9% uptime guarantee', 'Daily backups', 'Security monitoring', 'Free updates'])
    expect(pricing).toContain(name)
  expect(await fieldOf(page, 'Budget').locator('option').allTextContents()).toEqual([
    expect.any(String),
    'Starter ($200-$500)',
    'Professional ($500-$1,000)',
    'Enterprise ($1,000-$2,000)',
    'Custom (Over $2,000)',
  ])

  const { promise: looked, resolve: go } = Promise.withResolvers<void>()
  await page.route(`**${contactPath}`, async (route) => {
    await looked
    await route.fulfill({ status: 500, body: '' })
  })
  await fillIn(page)
  await page.getByRole('button', { name: 'Get My Free Quote' }).click()
  await expect(page.getByRole('button', { name: 'Sending...' })).toBeDisabled()
  go()
  await expect(toast(page)).toHaveText(
    /^Error *Failed to send message\. Please try again or email us directly\.$/,
  )

  await page.unroute(`**${contactPath}`)
  await page.getByRole('button', { name: 'Get My Free Quote' }).click()
  await expect(toast(page)).toHaveText(
    /^Message Sent! *Thank you for contacting us\. We'll get back to you within 24 hours\.$/,
  )

  forgetFailedRequests(browserErrors)
  expect(browserErrors).toEqual([])

  await page.goto('/nothing')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! Page not found')
  await expect(page.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/')
  await expect.poll(() => browserErrors).toContain('404: there is no page at /nothing')
  browserErrors.length = 0
})
