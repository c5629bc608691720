import type { Page } from '@playwright/test'
import { portfolio } from '#facts/portfolio.ts'
import { contactPath } from '#shared/contact-request.ts'
import { violations } from './axe.ts'
import { sumShifts } from './look.ts'
import { expect, failOnce, fieldOf, fillIn, hold, openLaidOut, test, waitForHydration } from './test.ts'

// Tests Plumbline's own texts and sample websites. Most other tests take the texts from the
// agency's facts.

const toast = (page: Page) => page.getByRole('alert')

test('the page, its form and the 404 page have the specified texts', async ({ page, browserErrors }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await openLaidOut(page)

  for (const name of ['Services', 'Pricing', 'Portfolio', 'Contact', 'Get Quote'])
    await expect(page.getByRole('banner').getByRole('link', { name, exact: true })).toBeVisible()
  for (const name of ['Get Your Quote Now', 'View Our Work', 'Start Your Project'])
    await expect(page.getByRole('main').getByRole('link', { name })).toHaveCount(1)
  for (const name of ['Web Design', 'Real SEO', 'Reliable Hosting', 'Human Support', 'Common Questions'])
    await expect(page.getByRole('main').getByRole('heading', { name, exact: true })).toBeVisible()
  for (const [name, ...texts] of [
    [
      'Starter',
      'One-time setup$200',
      'Monthly$49',
      'First six months$494',
      '5-page site',
      '1 year hosting included',
    ],
    ['Professional', 'Most Popular', 'setup$400', 'Monthly$79', 'months$874', '10 pages', '1 year hosting'],
    [
      'Enterprise',
      'setup$1,000',
      'Monthly$129',
      'months$1,774',
      'Unlimited pages',
      '2 years hosting',
      'Quarterly strategy calls',
    ],
  ] as const) {
    const card = page.getByRole('article', { name })
    for (const text of [...texts, 'Get Started']) await expect(card).toContainText(text)
  }
  for (const text of [
    '99.9% uptime guarantee',
    'Daily backups',
    'Security monitoring',
    'Free updates',
    'down for 43 minutes',
  ])
    await expect(page.locator('#pricing')).toContainText(text)
  for (const [name, meaning] of [
    ['Daily backups', /^A copy of your whole site every day\./],
    ['Security monitoring', /^We watch your site for hacks/],
  ] as const)
    await expect(page.getByRole('button', { name })).toHaveAccessibleDescription(meaning)
  await expect(page.locator('#services')).toContainText('Email reply within 4 hours')
  for (const text of ['Your quote comes within 24 hours', 'Same-day response', 'Reply within 4 hours'])
    await expect(page.locator('#contact')).toContainText(text)
  await expect(fieldOf(page, 'Budget').locator('option')).toHaveText([
    /./,
    'Starter ($200-$500)',
    'Professional ($500-$1,000)',
    'Enterprise ($1,000-$2,000)',
    'Custom (Over $2,000)',
  ])

  await waitForHydration(page)
  await failOnce(page)
  const release = await hold(page, `**${contactPath}`)
  await fillIn(page)
  await page.getByRole('button', { name: 'Get My Free Quote' }).click()
  await expect(page.getByRole('button', { name: 'Sending...' })).toBeDisabled()
  release()
  await expect(toast(page)).toHaveText(
    /^Error *Failed to send message\. Please try again or email us directly\.$/,
  )
  await page.getByRole('button', { name: 'Get My Free Quote' }).click()
  await expect(toast(page)).toHaveText(
    /^Message Sent! *Thank you for contacting us\. We'll get back to you within 24 hours\.$/,
  )
  await expect(page.locator('#contact')).toContainText('1-2 weeks later: your site is live.')

  await expect(page.locator('footer')).toContainText('Plumbline Web Co.')

  const response = await page.goto('/nothing?x=1')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Oops! Page not found')
  await expect.poll(() => browserErrors).toContain('404: there is no page at /nothing')
  // The other line is the browser's about the 404 response.
  expect(browserErrors.splice(0)).toHaveLength(2)
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Oops! Page not found')
})

test('on each sample website, axe finds nothing, nothing moves, and the form works', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const { url } of portfolio) {
    const release = await hold(page, '**/*.woff2')
    await page.goto(url, { waitUntil: 'domcontentloaded' })
    // The page is first shown in the fallback font.
    await page.evaluate(() => new Promise(requestAnimationFrame))
    release()
    await page.evaluate(() => document.fonts.ready)
    await expect(page.locator('h1')).toHaveCSS('font-family', /Saira|Outfit/)
    expect(await sumShifts(page)).toBeLessThan(0.02)
    expect(await violations(page)).toEqual([])

    if (await page.getByLabel('Too cold').count()) await page.getByText('Too cold').click()
    await page.getByLabel('Name').fill('Ada Lovelace')
    await page.getByLabel('Phone', { exact: true }).fill('(312) 555-0199')
    await page.locator('form button').click()
    await expect(page.locator('#sent')).toBeVisible()
    expect(new URL(page.url()).search).toBe('')
    expect(await violations(page)).toEqual([])
  }
})
