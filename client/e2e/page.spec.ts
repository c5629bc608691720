import type { Page } from '@playwright/test'
import { emailPromise, phonePromise, workdaysOnly } from '#brand/words/contact.ts'
import { privacy } from '#brand/words/footer.ts'
import * as form from '#brand/words/form.ts'
import * as words from '#brand/words/header.ts'
import { openNow, opensNext } from '#brand/words/hours.ts'
import { reading, title } from '#brand/words/page-test.ts'
import { erasing, title as privacyTitle, readers, retention } from '#brand/words/privacy.ts'
import { brand } from '#facts/brand.ts'
import { hours } from '#facts/hours.ts'
import { portfolio } from '#facts/portfolio.ts'
import { createTimeZone } from '#shared/time/time-zone.ts'
import { violationsInBothThemes } from './axe.ts'
import { findOverflow, setTextSize, sumShifts, waitUntilStill } from './look.ts'
import { expect, hold, open, openLaidOut, test, waitForHydration } from './test.ts'

const banner = (page: Page) => page.getByRole('banner')

test('each navigation link leads to its section, at any time, and is then highlighted', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const release = await hold(page, '**/*.css')
  await page.goto('/', { waitUntil: 'commit' })
  const current = banner(page).locator('[aria-current]')
  const expectSection = async (id: keyof typeof words.entries) => {
    await expect(page).toHaveURL(new RegExp(`#${id}$`))
    // A screen reader lists it as a region.
    const section = page.getByRole('region').and(page.locator(`#${id}`))
    await expect(section.locator('h2')).toBeInViewport()
    await expect(current).toHaveText(words.entries[id])
    // Going back while the page still scrolls would be undone by the scrolling.
    await waitUntilStill(page)
  }
  await expect(current).toHaveCount(0)
  await banner(page).getByRole('link', { name: words.getQuote }).click()
  await expect(page).toHaveURL(/#contact$/)
  release()
  await expect(page.locator('html[data-laid-out]')).toBeAttached()
  await expectSection('contact')
  for (const id of ['services', 'pricing', 'portfolio', 'contact'] as const) {
    await banner(page).getByRole('link', { name: words.entries[id], exact: true }).click()
    await expectSection(id)
    // Smooth scrolling takes long, and would briefly highlight the sections that it passes.
    await page.emulateMedia({ reducedMotion: 'reduce' })
  }

  await page.goBack()
  await expectSection('portfolio')
  await page.reload()
  await expectSection('portfolio')
  await page.goForward()
  await expectSection('contact')
})

test('the contact section says how to reach us', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open(page)
  await page.getByRole('button', { name: form.copyAddress }).click()
  await expect(page.getByText(form.addressCopied)).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(brand.email)
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))
  })
  await page.getByRole('button', { name: form.copyAddress }).click()
  await expect(page.getByText(form.addressNotCopied)).toBeVisible()
  expect(form.addressNotCopied).toContain(brand.email)
  for (const line of await page.locator('#contact dl > div, #questions > :has(h4)').all())
    await expect(line).toHaveCSS('border-top-style', 'solid')
  for (const [name, promise] of [
    [brand.email, emailPromise],
    [brand.phone, phonePromise],
  ] as const) {
    const entry = page.locator('#contact dl > div').filter({ has: page.getByRole('link', { name }) })
    await expect(entry).toContainText(promise)
  }
  await expect(page.locator('#contact').getByText(workdaysOnly)).toBeVisible()
  await expect(page.getByRole('contentinfo').getByRole('link', { name: privacy })).toBeVisible()
  await expect(page.getByRole('contentinfo')).toContainText(hours.text)
  await page.locator('form').getByRole('link', { name: form.privacyLink }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(privacyTitle)
  await banner(page).getByRole('link', { name: brand.name }).click()
  await expect(page.locator('form')).toBeAttached()
})

test('on a small screen, a button toggles a menu, which closes when it is left', async ({ page }) => {
  const button = banner(page).getByRole('button', { name: words.menu })
  const entry = banner(page).getByRole('link', { name: words.entries.pricing, exact: true })
  /** The lines of the button's icon cross while the menu is open. */
  const expectOpen = async (isOpen: boolean) => {
    await expect(entry).toBeVisible({ visible: isOpen })
    const angles = await button.evaluate((element) =>
      ['::before', '::after'].map((part) => getComputedStyle(element, part).rotate),
    )
    expect(angles).toEqual(isOpen ? ['45deg', '-45deg'] : ['none', 'none'])
  }
  const release = await hold(page, '**/assets/*.js')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/')
  await expectOpen(false)
  await button.click()
  await expectOpen(true)
  release()
  await waitForHydration(page)
  await expectOpen(true)
  await button.click()
  await expectOpen(false)

  await button.click()
  await entry.click()
  await expectOpen(false)
  await expect(page.locator('#pricing h2')).toBeInViewport()
  for (const leave of [
    () => page.keyboard.press('Escape'),
    // In the margin to the left of the page's text.
    () => page.mouse.click(4, 600),
  ]) {
    await button.click()
    await expectOpen(true)
    await leave()
    await expectOpen(false)
    await expect(button).toBeFocused()
  }

  // In a wide window, an open menu would darken the page.
  await button.click()
  await page.setViewportSize({ width: 900, height: 740 })
  await expect(button).toBeHidden()
  // In a low window, the menu scrolls.
  await page.setViewportSize({ width: 360, height: 256 })
  await expectOpen(false)
  // The link to the left of the button comes before it.
  await button.press('Shift+Tab')
  await expect(banner(page).getByRole('link', { name: words.getQuote })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(button).toBeFocused()
  await button.press('Enter')
  for (const name of [...Object.values(words.entries), brand.phone]) {
    await page.keyboard.press('Tab')
    const focused = banner(page).getByRole('link', { name }).and(page.locator(':focus'))
    await expect(focused).toBeInViewport({ ratio: 1 })
    await expect(entry).toBeVisible()
  }
  await page.keyboard.press('Tab')
  await expectOpen(false)
  await expect(page.locator('main :focus')).toBeVisible()
})

test('each card has a fitting picture and a link; nothing is from elsewhere', async ({ page, baseURL }) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await openLaidOut(page)
  for (const [width, ending] of [
    [360, '-phone'],
    [1440, ''],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    for (const [index, { image }] of portfolio.entries()) {
      const picture = page.locator('#portfolio article').nth(index).locator('img').first()
      await picture.scrollIntoViewIfNeeded()
      await expect(picture).toHaveJSProperty('currentSrc', `${baseURL}${image}${ending}.avif`)
    }
  }
  await expect(page.locator('#portfolio').getByRole('heading', { name: title })).toHaveCount(reading ? 1 : 0)
  if (reading) await expect(page.locator('#portfolio')).toContainText(reading.result)

  for (const { title, url } of portfolio) {
    const link = page.locator('#portfolio').getByRole('link', { name: new RegExp(title) })
    await expect(link).toHaveAttribute('href', url)
    await expect(link).toHaveAttribute('target', '_blank')
    // A focus ring around the title would cut through the line above it.
    await link.press('Shift')
    const rings = await link.evaluate((element) =>
      [undefined, '::after'].map((part) => getComputedStyle(element, part).outlineStyle),
    )
    expect(rings).toEqual(['none', 'solid'])
  }
  const opened = page.waitForEvent('popup')
  const corner = { position: { x: 9, y: 9 } }
  await page.locator('#portfolio article').first().click(corner)
  await expect(await opened).toHaveURL(portfolio[0].url)
  expect(requests.filter((address) => !address.startsWith(String(baseURL)))).toEqual([])
})

test('phone numbers out of sight begin to say the same about the office, and nothing moves', async ({
  page,
}) => {
  // A Friday, 90 seconds before the office closes.
  const closesAt = createTimeZone(hours.timeZone).fromWall(Date.parse(`2026-03-06T${hours.closes}Z`))
  await page.clock.install({ time: closesAt - 90_000 })
  const texts = () => page.locator('[data-office-hours]').allTextContents()
  // In the header, long office hours can wrap, but nothing is below them.
  const layout = () =>
    page.locator('[data-office-hours], #contact dl *, h1 ~ *').evaluateAll((all) =>
      all.map((element) => {
        const { left, height } = element.getBoundingClientRect()
        return element.closest('header') ? left : [left, height]
      }),
    )
  await page.setViewportSize({ width: 430, height: 740 })
  const release = await hold(page, '**/assets/main-*.js')
  await openLaidOut(page)
  const before = await layout()
  const count = (await texts()).length

  release()
  await waitForHydration(page)
  // Finding out takes a moment, so the page doesn't do it while someone types.
  await page.locator('[name=message]').focus()
  await page.clock.runFor('00:10')
  expect(await texts()).toEqual(Array(count).fill(hours.text))
  await page.locator('[name=message]').blur()
  await page.evaluate(() => scrollTo(0, 0))
  await page.clock.runFor('00:05')
  expect(await texts()).toEqual(Array(count).fill(hours.text))
  await page.locator('form').scrollIntoViewIfNeeded()
  await page.clock.runFor('00:05')
  await expect.poll(texts).toEqual(Array(count).fill(openNow))
  await page.evaluate(() => scrollTo(0, 0))
  expect(await layout()).toEqual(before)
  await page.clock.runFor('02:00')
  await expect.poll(texts).toEqual(Array(count).fill(opensNext.replace('{day}', 'Mon')))
  expect(await layout()).toEqual(before)
  // At least one each in the header or menu, the hero, and the call bar.
  expect(count).toBeGreaterThanOrEqual(3)
})

test('the privacy page says only what the server does, and fits every window', async ({ page }) => {
  await page.goto('/privacy', { waitUntil: 'domcontentloaded' })
  const main = page.locator('main')
  const text = await main.innerText()
  await page.waitForLoadState('networkidle')
  expect(await main.innerText()).toBe(text)
  expect(await sumShifts(page)).toBe(0)

  expect(text).toContain(retention.kept)
  expect(text).toContain(readers.nobodyElse)
  expect(text).toContain(`${erasing.ask}\n\n${brand.email}\n${brand.phone}`)
  expect(text).not.toMatch(/%|automatically|Another program/)
  for (const name of [brand.email, brand.phone])
    expect((await main.getByRole('link', { name }).boundingBox())?.height).toBe(44)

  expect(await violationsInBothThemes(page)).toEqual([])
  for (const [width, textSize] of [
    [320, 16],
    [360, 32],
  ] as const) {
    await page.setViewportSize({ width, height: 740 })
    await setTextSize(page, textSize)
    expect(await findOverflow(page, '[popover]')).toEqual([])
  }
})
