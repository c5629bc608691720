import type { Locator, Page } from '@playwright/test'
import * as words from '#brand/words/header.ts'
import { good, goodSeconds, reading } from '#brand/words/page-test.ts'
import { boxOf, placeOf, setTextSize } from './look.ts'
import { expect, fieldOf, hold, open, openLaidOut, test, waitForHydration } from './test.ts'

/** Scrolls, and waits until the page knows. */
const scroll = (page: Page, top: { share: number } | { by: number }) =>
  page.evaluate(async (to) => {
    const end = document.documentElement.scrollHeight - innerHeight
    const scrolled = new Promise((resolve) => addEventListener('scroll', resolve, { once: true }))
    scrollTo({ top: 'by' in to ? scrollY + to.by : to.share * end + 1, behavior: 'instant' })
    await scrolled
  }, top)

/**
 * The plumb line's angle in degrees after this time, and whether its string reaches to the bob from
 * the header or, on a phone, from its peg.
 */
const examine = (page: Page, ms: number) =>
  page.evaluate((ms) => {
    // The browser's own animations don't follow the page's clock.
    for (const animation of document.getAnimations()) animation.currentTime = ms
    const line = document.querySelector('#contact [data-print="never"] > div:has(> svg)') as HTMLElement
    const bob = line.querySelector('svg path')?.getBoundingClientRect()
    const string = line.firstElementChild?.getBoundingClientRect()
    const section = document.getElementById('contact') as HTMLElement
    const peg = section.getBoundingClientRect().top - Number.parseFloat(getComputedStyle(section).marginTop)
    const reachesBob =
      string && bob && string.top <= Math.max(64, peg) && Math.abs(string.bottom - bob.top) <= 1
    return { degrees: Math.abs(Number.parseFloat(getComputedStyle(line).rotate) || 0), reachesBob }
  }, ms)

test('the plumb line leans while the page scrolls, unless motion is reduced', async ({ page }) => {
  await page.clock.install({ time: 0 })
  await open(page)
  await page.clock.pauseAt(60_000)
  for (const [reducedMotion, width, most] of [
    ['reduce', 1440, 0],
    ['no-preference', 480, 3],
    ['no-preference', 1440, 3],
  ] as const) {
    await page.emulateMedia({ reducedMotion })
    await page.setViewportSize({ width, height: 800 })
    await scroll(page, { share: 0.6 })
    let degrees = 0
    for (let times = 0; times < 4; times++) {
      await scroll(page, { by: 60 })
      await page.clock.runFor(20)
      degrees = Math.max(degrees, (await examine(page, 50)).degrees)
    }
    await page.clock.runFor(200)
    expect(await examine(page, 700), `${width} px`).toEqual({ degrees: 0, reachesBob: true })
    expect(degrees).toBeGreaterThanOrEqual(most / 6)
    expect(degrees).toBeLessThanOrEqual(most)
  }
})

test('if motion is reduced, nothing moves over the page while it scrolls', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 800 })
  await openLaidOut(page)
  const places = () =>
    page
      .locator('main *, footer *')
      .evaluateAll((all) =>
        all
          .filter((one) => one.getClientRects().length > 0)
          .map((one) => Math.round(one.getBoundingClientRect().top + scrollY)),
      )
  const before = await places()
  for (const share of [0.3, 0.6, 0.9]) {
    await scroll(page, { share })
    expect(await places()).toEqual(before)
  }
})

test.describe('on a phone', () => {
  test.use({ isMobile: true, hasTouch: true })

  for (const [width, textSize] of [
    [280, 16],
    [360, 16],
    [360, 32],
    [640, 16],
  ] as const)
    test(`nothing widens the page while it scrolls, at ${width} px with text of ${textSize} px`, async ({
      page,
    }) => {
      await page.setViewportSize({ width, height: 740 })
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      await openLaidOut(page)
      await setTextSize(page, textSize)
      const widths = new Set<number>()
      for (let share = 0; share <= 1; share += 0.1) {
        await scroll(page, { share })
        // The line swings for 700 ms.
        for (let times = 0; times < 6; times++) {
          await page.mouse.wheel(0, 80)
          await page.waitForTimeout(30)
          widths.add(await page.evaluate(() => Math.max(innerWidth, document.documentElement.scrollWidth)))
        }
      }
      expect([...widths]).toEqual([width])
    })
})

test('when the tip first touches the bar above the form, the bar draws itself, and stays', async ({
  page,
}) => {
  const bar = page.locator('#contact i:has(+ form)')
  const tip = page.locator('#contact div:has(+ i) svg')
  for (const [width, reducedMotion] of [
    [360, 'no-preference'],
    [1440, 'no-preference'],
    [1440, 'reduce'],
  ] as const) {
    const isDrawn = (isIt: boolean) =>
      expect(bar).toHaveCSS('scale', isIt || reducedMotion === 'reduce' ? 'none' : '0 1')
    await page.setViewportSize({ width, height: 740 })
    await page.emulateMedia({ reducedMotion })
    await openLaidOut(page)
    await waitForHydration(page)
    await expect(bar).toHaveAttribute('data-waiting')
    await isDrawn(false)
    await page.evaluate(() => document.querySelector('form')?.scrollIntoView({ behavior: 'instant' }))
    await isDrawn(true)
    const [drawn, bob] = [await bar.boundingBox(), await tip.boundingBox()]
    expect(Math.abs(Number(bob?.y) + Number(bob?.height) - Number(drawn?.y))).toBeLessThan(1)
    expect(Number(bob?.x)).toBeGreaterThanOrEqual(Number(drawn?.x) - 1)
    expect(Number(bob?.x)).toBeLessThan(Number(drawn?.x) + Number(drawn?.width))
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await isDrawn(true)
  }
})

test('the ruler measures once it is in view, and is complete on paper and without motion', async ({
  page,
}) => {
  test.skip(!reading, 'Nothing has been measured.')
  const measured = page.locator('#portfolio rect')
  const widthOf = () => measured.evaluate((bar) => bar.getBoundingClientRect().width)
  const scrollTo = (block: ScrollLogicalPosition) =>
    measured.evaluate((bar, block) => bar.scrollIntoView({ behavior: 'instant', block }), block)
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    await page.emulateMedia({ reducedMotion })
    await openLaidOut(page)
    await waitForHydration(page)
    await scrollTo('end')
    if (reducedMotion === 'no-preference') await expect.poll(widthOf).toBe(0)
    else expect(await widthOf()).toBeGreaterThan(100)
    await page.emulateMedia({ media: 'print' })
    expect(await widthOf()).toBeGreaterThan(100)
    await page.emulateMedia({ media: 'screen' })
    await scrollTo('center')
    await expect.poll(widthOf).toBeGreaterThan(100)
    await expect(measured).toHaveCSS(
      'transition-duration',
      `${reducedMotion === 'reduce' ? 0 : reading?.seconds}s`,
    )
    await scrollTo('end')
    expect(await widthOf()).toBeGreaterThan(100)
  }
  const endOf = (part: Locator) => part.evaluate((element) => element.getBoundingClientRect().right)
  const ruler = measured.locator('..')
  const start = await measured.evaluate((bar) => bar.getBoundingClientRect().left)
  const seconds = (await endOf(ruler)) - start
  const share = ((await endOf(ruler.getByText(good))) - start) / seconds
  const [end] = /\d+/.exec((await ruler.locator('text').last().textContent()) ?? '') ?? []
  expect(share).toBeCloseTo(goodSeconds / Number(end), 2)
})

/**
 * Follows every link to a place on the page. Returns how far below the header each heading lands,
 * in pixels.
 */
const followAnchors = (page: Page) =>
  page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
    const landed = new Map<string, number>()
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href*="#"]:not([href="#main"])')) {
      const place = document.getElementById(link.hash.slice(1))
      if (!place || place.closest('form') || landed.has(link.href)) continue
      scrollTo(0, 0)
      link.click()
      await frame()
      await frame()
      // A link to a service leads to its list item, which begins with a drawing.
      const start = place.matches('li') ? place : place.querySelector('h2, h3')
      landed.set(link.href, (start?.getBoundingClientRect().top ?? 0) - header)
    }
    return [...landed]
  })

test('every anchor puts its heading below the header, if it is clicked or in the URL', async ({ page }) => {
  for (const [width, distance] of [
    [360, 40],
    [1440, 56],
  ] as const) {
    await page.setViewportSize({ width, height: 740 })
    await page.goto('about:blank')
    await openLaidOut(page, '/#contact')
    await waitForHydration(page)
    const { below } = await placeOf(page.locator('#contact h2'))
    expect(Math.abs(below - distance), `in the URL at ${width} px`).toBeLessThan(2)

    const landed = await followAnchors(page)
    expect(landed.length).toBeGreaterThan(8)
    const wrong = landed.filter(([, top]) => Math.abs(top - distance) > 1)
    expect(wrong, `clicked at ${width} px`).toEqual([])
  }
})

test('whoever scrolls away from the anchor in the URL before the fonts have loaded stays there', async ({
  page,
}) => {
  const loadFonts = await hold(page, '**/*.woff2')
  await page.goto('/#contact')
  const position = () => page.evaluate(() => scrollY)
  await expect.poll(position).toBeGreaterThan(0)
  await page.mouse.wheel(0, -100_000)
  await expect.poll(position).toBe(0)

  loadFonts()

  await expect(page.locator('html[data-laid-out]')).toBeAttached()
  expect(await position()).toBe(0)
})

const scrollPageTo = (page: Page, selector: string) =>
  page.evaluate((place) => document.querySelector(place)?.scrollIntoView({ behavior: 'instant' }), selector)

test('on a phone, the call bar hides if not needed, and never covers the focus', async ({ page }) => {
  const bar = page.getByRole('complementary', { name: words.callBar })
  await page.setViewportSize({ width: 360, height: 740 })
  await openLaidOut(page)
  await waitForHydration(page)

  await test.step('it is not in the way before that is known', async () => {
    const document = await (await page.request.get('/')).text()
    expect(/<aside id="call-bar"[^>]*>/.exec(document)?.[0]).not.toContain('data-shown')
  })

  await test.step('it hides while the hero buttons or the form is in view, and on wide or low screens', async () => {
    await expect(bar).toBeHidden()
    await scrollPageTo(page, '#pricing')
    await expect(bar).toBeVisible()
    expect(await bar.boundingBox()).toEqual({ x: 0, y: 740 - 56, width: 360, height: 56 })
    await scrollPageTo(page, 'form')
    await expect(bar).toBeHidden()
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect(bar).toBeVisible()
    expect((await boxOf(page, 'footer > div')).bottom).toBeLessThan(740 - 56)

    await bar.getByRole('link', { name: words.getQuote }).click()
    await expect(page.locator('#contact h2')).toBeInViewport()
    await scrollPageTo(page, '#portfolio')
    for (const [width, height, isVisible] of [
      [740, 900, true],
      [740, 360, false],
      [832, 900, false],
      [320, 256, false],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect(bar).toBeVisible({ visible: isVisible })
    }
  })

  await test.step('it is hidden while a field has the focus, so that it is never above an on-screen keyboard, and in print', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await scrollPageTo(page, '#pricing')
    const focusOn = (field: Locator) =>
      [() => field.evaluate((control) => control.focus({ preventScroll: true })), () => field.blur()] as const
    for (const [hide, show] of [
      ...['First name', 'Budget', 'Message'].map((label) => focusOn(fieldOf(page, label))),
      [() => page.emulateMedia({ media: 'print' }), () => page.emulateMedia({ media: 'screen' })],
    ] as const) {
      await expect(bar).toBeVisible()
      await hide()
      await expect(bar).toBeHidden()
      await show()
    }
  })

  // accessibility.spec.ts looks at every element that gets the focus in ordinary text.
  await test.step('in text of double size, it is only a little higher, and never covers the focused element', async () => {
    await setTextSize(page, 32)
    await page.locator('#pricing a').first().focus()
    let shown = 0
    for (let tabs = 0; tabs < 20; tabs++) {
      await page.keyboard.press('Tab')
      const overlap = await page.evaluate(() => {
        const bar = document.getElementById('call-bar') as HTMLElement
        const active = document.activeElement as HTMLElement
        const isShown = getComputedStyle(bar).visibility === 'visible'
        if (!isShown || active === document.body || bar.contains(active)) return undefined
        return active.getBoundingClientRect().bottom - bar.getBoundingClientRect().top
      })
      if (overlap === undefined) continue
      expect(overlap).toBeLessThanOrEqual(0)
      shown++
    }
    expect(shown).toBeGreaterThan(8)
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await expect(bar).toBeVisible()
    expect((await bar.boundingBox())?.height).toBeCloseTo(0.16 * 360, 1)
  })
})
