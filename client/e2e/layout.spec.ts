import { execFileSync } from 'node:child_process'
import type { Page } from '@playwright/test'
import { copyAddress } from '#brand/words/form.ts'
import { accentWidth } from '#brand/words/hero.ts'
import { brand } from '#facts/brand.ts'
import { colors } from '#facts/colors.ts'
import { missing } from '../../server/proof/testing/needs.ts'
import { boxOf, findOverflow, setTextSize, sumShifts } from './look.ts'
import { expect, fieldOf, open, openLaidOut, test, waitForHydration } from './test.ts'
import { toRgb } from './to-rgb.ts'

test('hardly anything moves when the styles and fonts load', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  for (const width of [360, 768, 1366, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    await openLaidOut(page)
    // Google's limit for a good score is 0.1. Other agencies' words wrap differently.
    const most = brand.name === 'Plumbline' ? 0.002 : 0.1
    expect(await sumShifts(page), `at ${width} px`).toBeLessThan(most)
  }
  await waitForHydration(page)
  const accentInEm = await page.locator('h1 em').evaluate((element) => {
    element.querySelector('svg')?.remove()
    return element.getBoundingClientRect().width / Number.parseFloat(getComputedStyle(element).fontSize)
  })
  expect(accentInEm).toBeCloseTo(Number.parseFloat(accentWidth), 2)
})

test('the header covers the beginning of no page', async ({ page, browserErrors }) => {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 740 })
    for (const path of ['/', '/privacy', '/no-such-page']) {
      await openLaidOut(page, path)
      const header = await page.locator('header').boundingBox()
      const tops = await page
        .locator('main :is(h1, h2, p):visible')
        .evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().top))
      expect(Math.min(...tops), `${path} at ${width} px`).toBeGreaterThan(header?.height ?? 0)
    }
  }
  // The browser's lines about the 404 responses.
  browserErrors.length = 0
})

test('the upper edge of the form reaches out to the plumb line, at its side', async ({ page }) => {
  for (const [width, isAtRight] of [
    [390, true],
    [1280, false],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await openLaidOut(page)
    await page.locator('#contact form').scrollIntoViewIfNeeded()
    const edge = () =>
      page
        .locator('#contact i[class*=bar]')
        .first()
        .evaluate((bar) => {
          const own = bar.getBoundingClientRect()
          const box = bar.parentElement?.getBoundingClientRect() ?? own
          return [own.left < box.left, own.right > box.right]
        })
    await expect.poll(edge, `at ${width} px`).toEqual([!isAtRight, isAtRight])
  }
})

test('the drawing of the 404 page is below its text on phones, and beside it on wide screens', async ({
  page,
  browserErrors,
}) => {
  for (const [width, isBeside] of [
    [390, false],
    [1440, true],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await openLaidOut(page, '/no-such-page')
    const text = await boxOf(page, 'main > :nth-child(1)')
    const drawing = await boxOf(page, 'main > :nth-child(2)')
    expect(drawing.x > text.x + text.width - 1, `at ${width} px`).toBe(isBeside)
  }
  browserErrors.length = 0
})

test('buttons and phone number are in the first view, pricing is a band not far down', async ({ page }) => {
  await openLaidOut(page)
  for (const [width, height, isSideBySide] of [
    [320, 640, false],
    [360, 740, false],
    [568, 320, true],
    [740, 360, true],
    [768, 1024, true],
    [831, 600, true],
    [832, 600, true],
    [1024, 768, true],
    [1920, 1080, true],
  ] as const) {
    await page.setViewportSize({ width, height })
    const quote = await boxOf(page, 'h1 ~ div a[href="#contact"]')
    const work = await boxOf(page, 'h1 ~ div a[href="#portfolio"]')
    expect(quote.y === work.y, `side by side at ${width} px`).toBe(isSideBySide)
    expect(work.bottom, `buttons at ${width} x ${height}`).toBeLessThanOrEqual(height)

    const isInHeader = width >= 832
    const number = page
      .locator(`${isInHeader ? 'header' : 'main p'} a[href="tel:${brand.phoneLink}"]`)
      .first()
    await expect(number).toBeInViewport({ ratio: 1 })
    expect((await number.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    const entries = await page
      .locator('header nav a')
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect()))
    const gaps = entries.slice(1).map(({ left }, index) => Math.round(left - (entries[index]?.right ?? 0)))
    if (isInHeader) expect(new Set(gaps).size, `gaps of the header at ${width} px`).toBe(1)
    expect(await findOverflow(page, '.visually-hidden, [popover]'), `at ${width} px`).toEqual([])
    const sheet = await boxOf(page, 'main figure')
    expect(sheet.height / sheet.width, `shape of the drawing at ${width} px`).toBeLessThan(1.05)
    if (width !== 360) continue
    expect((await boxOf(page, 'main figure')).bottom).toBeLessThanOrEqual(1000)
    expect((await boxOf(page, '#pricing dd')).y).toBeLessThanOrEqual(2400)
    const limit = brand.name === 'Plumbline' ? 9300 : Number.POSITIVE_INFINITY
    expect((await boxOf(page, 'body')).height).toBeLessThanOrEqual(limit)
  }

  await page.setViewportSize({ width: 1728, height: 900 })
  const band = page.locator('main [data-theme="blueprint"]')
  expect(await band.boundingBox()).toMatchObject({ x: 0, width: 1728 })
  for (const [colorScheme, ground] of [
    ['light', colors.background[1]],
    ['dark', colors.band[1]],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await expect(band).toHaveCSS('background-color', toRgb(ground))
    // The tokens of these borders, `--hairline` and `--rule`, contain other tokens, so the band
    // must define all of them.
    const border = band.locator('dl > div + div').first()
    await expect(border).toHaveCSS('border-top-color', toRgb(colors.hairline[1]))
    await expect(band.locator('dl').first()).toHaveCSS('border-top-color', toRgb(colors.control[1]))
  }
})

/** Parts of the page that don't look like the others of their kind, or that cover each other. */
const findUneven = (page: Page) =>
  page.evaluate(() => {
    const boxesOf = (selector: string) =>
      [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect())
    const tops = (selector: string) => boxesOf(selector).map(({ top }) => Math.round(top))
    const labels = boxesOf('#pricing dt')
    const isBelow = boxesOf('#pricing dd').map(({ top }, row) => top >= Number(labels[row]?.bottom) - 1)
    const steps = tops('#services > div:last-child li')
    const stepsInRow = [...new Set(steps)].map((top) => steps.filter((other) => other === top).length)
    const badges = boxesOf('#pricing article > p:first-child')
    const names = boxesOf('#pricing article > p:first-child + h3')
    const [tick] = boxesOf('#portfolio [aria-hidden] + svg > line').sort(
      (one, other) => other.height - one.height,
    )
    const readings = boxesOf('#portfolio strong + span').filter(({ width }) => width > 0)
    const cut = [...document.querySelectorAll('#hero dd, #hero figcaption > *')].filter(
      ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth,
    )
    return [
      new Set(isBelow).size > 1 && 'some prices are below their labels, some are beside them',
      new Set(stepsInRow).size > 1 && `the rows have ${stepsInRow} steps`,
      readings.some(({ right }) => right > Number(tick?.left) - 8) && 'the reading meets the tick',
      names.some(({ top }, plan) => top < Number(badges[plan]?.bottom)) && 'the badge covers a name',
      ...cut.map(({ textContent }) => `"${textContent}" does not fit`),
    ].filter(Boolean)
  })

test('at any width and text size, prices, steps and badge look alike and fit', async ({ page }) => {
  for (const [width, textSize] of [
    [280, 16],
    [360, 16],
    [360, 32],
    [390, 21],
    [768, 16],
    [1152, 16],
    [1440, 16],
  ] as const) {
    await page.setViewportSize({ width, height: 740 })
    await setTextSize(page, textSize)
    await openLaidOut(page)
    expect(await findUneven(page), `${width} px, text of ${textSize} px`).toEqual([])
  }
})

test('the text of each field begins at the same distance from its edge, and that of the plan ends before the arrow', async ({
  page,
}) => {
  await openLaidOut(page)
  const fields = page.locator('#contact :is(input, textarea, select):visible')
  const insets = await fields.evaluateAll((all) =>
    all.map((field) => {
      const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(field)
      const [start, end] = [paddingInlineStart, paddingInlineEnd].map(Number.parseFloat)
      return { start, hasRoom: Number(end) > Number(start) + 8, isPlan: field.matches('select') }
    }),
  )
  expect(insets.length).toBeGreaterThan(6)
  expect(new Set(insets.map(({ start }) => start)).size).toBe(1)
  expect(insets.filter(({ hasRoom, isPlan }) => hasRoom !== isPlan)).toEqual([])
})

test('header and promises fit if a style enlarges the text, of which media queries know nothing', async ({
  page,
}) => {
  for (const [width, fontSize] of [
    [360, '200%'],
    [390, '130%'],
  ] as const) {
    await page.setViewportSize({ width, height: 740 })
    await openLaidOut(page)
    await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), fontSize)
    const menu = await boxOf(page, 'header button')
    expect(menu.x + menu.width, `menu at ${width} px, text of ${fontSize}`).toBeLessThanOrEqual(width)
    const gaps = await page.locator('#hero dd').evaluateAll((figures) =>
      figures.map((figure) => {
        const text = document.createRange()
        text.selectNodeContents(figure)
        return figure.getBoundingClientRect().right - text.getBoundingClientRect().right
      }),
    )
    expect(Math.min(...gaps), `promises at ${width} px, text of ${fontSize}`).toBeGreaterThanOrEqual(0)
  }
})

test('a long name does not widen the page, and long office hours use the room in the header', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await openLaidOut(page)
  // Otherwise, React would find other texts than it expects.
  await waitForHydration(page)
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '150%'
    document.querySelector('footer p')?.lastChild?.replaceWith('Hinterland Webwerkstatt')
  })
  expect(await findOverflow(page, '.visually-hidden, [popover], header')).toEqual([])

  await page.setViewportSize({ width: 1440, height: 740 })
  await openLaidOut(page)
  await waitForHydration(page)
  const hours = page.locator('header [data-office-hours]')
  const oneLine = await hours.evaluate((element) => {
    const { height } = element.getBoundingClientRect()
    element.textContent = 'Mon-Fri 8am-6pm Berlin time'
    return height
  })
  expect((await hours.boundingBox())?.height).toBe(oneLine)
})

test('the printed page is light, and has the form only if it is filled in', async ({ page }) => {
  // US Letter at 96 dpi, with margins of 0.4 inches.
  await page.setViewportSize({ width: 739, height: 979 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await open(page)
  const letterhead = page.locator('main p').first()
  await expect(letterhead).toBeHidden()
  await page.emulateMedia({ media: 'print' })

  await expect(letterhead).toContainText(brand.name)
  await expect(letterhead).toContainText(brand.phone)
  expect((await letterhead.boundingBox())?.y).toBeLessThan(20)
  await expect(page.locator('#contact h2')).toBeHidden()
  await expect(page.locator('#contact').getByText(brand.phone).filter({ visible: true })).toHaveCount(1)
  const pricing = page.locator('#pricing')
  await expect(pricing.locator('h2')).toHaveCSS('color', toRgb(colors.text[0]))
  await expect(page.locator('main [data-theme="blueprint"]')).toHaveCSS(
    'background',
    /^rgba\(0, 0, 0, 0\) none/,
  )
  await expect(pricing).toHaveCSS('break-inside', 'avoid')
  expect((await pricing.boundingBox())?.height).toBeLessThan(979)
  expect(await findUneven(page)).toEqual([])

  await expect(fieldOf(page, 'First name')).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await fieldOf(page, 'First name').fill('Ada')
  await page.getByRole('button', { name: copyAddress }).click()
  await page.emulateMedia({ media: 'print' })
  await expect(fieldOf(page, 'First name')).toBeVisible()
  // A notice would be on each sheet.
  expect(await page.locator('[aria-live] > div').filter({ visible: true }).count()).toBe(0)
})

/** The page's visible texts, in small letters without spaces. */
const textsOf = (page: Page, selector: string) =>
  page.locator(selector).evaluateAll((elements) =>
    elements
      .flatMap((element) => [...element.childNodes].filter((node) => node instanceof Text))
      .filter(
        ({ parentElement }) =>
          parentElement?.checkVisibility() && !parentElement.closest('style, .visually-hidden'),
      )
      .map(({ data }) => data.replace(/\s/g, '').toLowerCase())
      .filter(Boolean),
  )

/** The texts of the printed sheets, in small letters without spaces. */
async function sheetsOf(page: Page, format: string): Promise<string[]> {
  const margin = '0.4in'
  const margins = { top: margin, bottom: margin, left: margin, right: margin }
  const input = await page.pdf({ format, margin: margins })
  const text = execFileSync('pdftotext', ['-raw', '-', '-'], { input, encoding: 'utf8' })
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\S\f]/g, '')
    .split('\f')
}

test('on paper, the page has at most four sheets, each part is whole, and no sheet ends with a heading', async ({
  page,
  browserErrors,
}) => {
  test.skip(missing(['pdftotext']).length > 0, missing(['pdftotext'])[0])
  await openLaidOut(page)
  await page.emulateMedia({ media: 'print' })
  for (const format of ['Letter', 'A4']) {
    const sheets = await sheetsOf(page, format)
    expect(sheets.length, format).toBeLessThanOrEqual(4)
    const isMissing = (text: string) => !sheets.some((sheet) => sheet.includes(text))
    expect((await textsOf(page, 'main *, footer *')).filter(isMissing), format).toEqual([])
    const endsSheet = (heading: string) => sheets.some((sheet) => sheet.endsWith(heading))
    expect((await textsOf(page, 'h1, h2, h3, h4')).filter(endsSheet), format).toEqual([])
    for (const part of ['#hero', '#services', '#pricing', '#portfolio', '#contact']) {
      const texts = await textsOf(page, `${part} *`)
      const isWhole = sheets.some((sheet) => texts.every((text) => sheet.includes(text)))
      expect(isWhole, `${part} on ${format}`).toBe(true)
    }
  }
  await page.goto('/no-such-page')
  for (const format of ['Letter', 'A4']) expect(await sheetsOf(page, format)).toHaveLength(1)
  browserErrors.length = 0
})
