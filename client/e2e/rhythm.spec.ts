import type { Page } from '@playwright/test'
import { brand } from '#facts/brand.ts'
import { colors } from '#facts/colors.ts'
import { expect, fieldOf, pageTest, test, waitForHydration } from './test.ts'
import { toRgb } from './to-rgb.ts'

/**
 * At many places on the page, scrolls for 200 ms and then lets 900 ms pass. To save time, this replaces the clock and runs
 * the animation frames itself. Returns the plumb line's angles while it moves, and what is wrong with it at rest.
 */
const watchPlumbLine = (page: Page, places: number) =>
  page.evaluate(async (count) => {
    let now = performance.now()
    let frames: FrameRequestCallback[] = []
    performance.now = () => now
    window.requestAnimationFrame = (onFrame) => frames.push(onFrame)
    const line = document.querySelector('[data-print="never"] > div:has(> svg)')
    const [string, bob] = line?.children ?? []
    if (!line || !string || !bob) throw new Error('The page has no plumb line.')
    const style = getComputedStyle(line)
    const centerOf = ({ x, width }: DOMRect) => x + width / 2
    const degrees: number[] = []
    const play = (milliseconds: number, onFrame = () => {}) => {
      for (const end = now + milliseconds; now < end; ) {
        now += 20
        onFrame()
        const due = frames
        frames = []
        for (const draw of due) draw(now)
        if (style.rotate !== 'none') degrees.push(Math.abs(Number.parseFloat(style.rotate)))
      }
    }
    const scrolled = () => new Promise((resolve) => addEventListener('scroll', resolve, { once: true }))

    const faults: string[] = []
    for (let place = 0; place < count; place++) {
      const top = (place / count) * (document.documentElement.scrollHeight - innerHeight)
      scrollTo({ top, behavior: 'instant' })
      if (place > 0) await scrolled()
      play(200, () => scrollBy({ top: 30, behavior: 'instant' }))
      await scrolled()
      play(900)
      const [threadBox, bobBox] = [string.getBoundingClientRect(), bob.getBoundingClientRect()]
      const hangsFrom =
        Number.parseFloat(style.top) + Number.parseFloat(style.transformOrigin.split(' ')[1] ?? '')
      if (style.rotate !== 'none') faults.push(`not vertical at ${scrollY}: ${style.rotate}`)
      if (Math.abs(centerOf(threadBox) - centerOf(bobBox)) > 0.6) faults.push(`not plumb at ${scrollY}`)
      if (Math.abs(threadBox.bottom - bobBox.top) > 1 || threadBox.top > 64)
        faults.push(`the string does not reach from the header to the bob at ${scrollY}`)
      if (style.position === 'sticky' && hangsFrom !== 64) faults.push(`hangs from ${hangsFrom}`)
    }
    // Lets the next call begin at the top and at rest.
    scrollTo({ top: 0, behavior: 'instant' })
    await scrolled()
    play(900)
    return { faults, degrees }
  }, places)

pageTest(
  'the plumb line leans while the page scrolls, is vertical 900 ms later, and never moves with reduced motion',
  async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/')
    await waitForHydration(page)
    expect(await watchPlumbLine(page, 10)).toEqual({ faults: [], degrees: [] })

    await page.emulateMedia({ reducedMotion: 'no-preference' })
    for (const [width, most] of [
      [480, 1],
      [1440, 3],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      const { faults, degrees } = await watchPlumbLine(page, 20)

      expect(faults, `at ${width} px`).toEqual([])
      expect(Math.max(...degrees)).toBeGreaterThan(most / 3)
      expect(Math.max(...degrees)).toBeLessThanOrEqual(most)
    }
  },
)

/** Follows every link to a place on the page. Returns how far below the header each heading lands, in pixels. */
const followAnchors = (page: Page) =>
  page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame)
    const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
    const landed: Record<string, number> = {}
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href*="#"]:not([href="#main"])')) {
      const place = document.getElementById(link.hash.slice(1))
      if (!place || place.closest('form')) continue
      scrollTo(0, 0)
      link.click()
      await frame()
      await frame()
      // A link to a service leads to its list item, which begins with a drawing.
      const start = place.matches('li') ? place : place.querySelector('h2, h3')
      const top = start?.getBoundingClientRect().top ?? 0
      const cutOff = [...document.querySelectorAll('main :is(a, button)')].filter((control) => {
        const box = control.getBoundingClientRect()
        return box.height > 0 && box.bottom > header && box.top < Math.min(top, header + 56)
      })
      const where = link.closest('header, main, footer')?.localName
      landed[`${where}: ${link.textContent} ${cutOff.length > 0 ? '(below a control)' : ''}`] = top - header
    }
    return landed
  })

pageTest(
  'every anchor puts its heading below the header, if it is clicked or in the URL',
  async ({ page }) => {
    for (const [width, id] of [
      [320, 'pricing'],
      [1024, 'contact'],
      [360, 'contact'],
    ] as const)
      await test.step(`at ${width} px, a URL with an anchor leads to the same place as a click`, async () => {
        await page.setViewportSize({ width, height: 740 })
        await page.goto('about:blank')
        await page.goto(`/#${id}`)
        await expect(page.locator('html')).toHaveAttribute('data-laid-out')
        await waitForHydration(page)

        const [gap, padding] = await page.evaluate((target) => {
          const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect()
          const top = boxOf(`#${target} h2`)?.top ?? 0
          const header = boxOf('header')?.bottom ?? 0
          return [
            top - header,
            Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) - header,
          ]
        }, id)
        expect(Math.abs((gap ?? 0) - (padding ?? 0))).toBeLessThan(2)
      })

    for (const [width, distance] of [
      [360, 40],
      [1440, 56],
    ] as const)
      await test.step(`at ${width} px, every anchor puts its heading ${distance} px below the header`, async () => {
        await page.setViewportSize({ width, height: 740 })
        const landed = await followAnchors(page)

        expect(Object.keys(landed).length).toBeGreaterThan(15)
        const wrong = Object.entries(landed).filter(
          ([link, top]) => Math.abs(top - distance) > 1 || link.includes('control'),
        )
        expect(wrong).toEqual([])
      })
  },
)

pageTest(
  'at 360 px, the first price is at most 2,400 px down the page, and pricing has blueprint colors from edge to edge, in the light theme too',
  async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('data-laid-out')

    const heightOf = (selector: string) => page.locator(selector).evaluate((element) => element.clientHeight)
    const drawingWidth = await page
      .locator('#services li div:has(svg)')
      .first()
      .evaluate((drawing) => drawing.clientWidth)
    expect(await heightOf('#services div:has(> ol > li > span)')).toBeLessThanOrEqual(200)
    expect(drawingWidth).toBe(72)
    expect((await page.locator('#pricing dd').first().boundingBox())?.y).toBeLessThanOrEqual(2400)

    await page.setViewportSize({ width: 1728, height: 900 })
    const band = page.locator('[data-theme="blueprint"]')
    expect(await page.locator('#pricing').boundingBox()).toMatchObject({ width: 1280 })
    expect(await band.boundingBox()).toMatchObject({ x: 0, width: 1728 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const ground = colorScheme === 'dark' ? colors.band[1] : colors.background[1]
      await expect(band).toHaveCSS('background-color', toRgb(ground))
      await expect(band.locator('h2')).toHaveCSS('color', toRgb(colors.text[1]))
      // The token of this border, `--hairline`, contains another token, so the band must define both.
      await expect(band.locator('dl > div + div').first()).toHaveCSS(
        'border-top-color',
        toRgb(colors.hairline[1]),
      )
    }
    await page.emulateMedia({ media: 'print' })
    await expect(band.locator('h2')).toHaveCSS('color', toRgb(colors.text[0]))
    await expect(band).toHaveCSS('background', /^rgba\(0, 0, 0, 0\) none/)
  },
)

/** Finds figures such as "1-2" that are broken after the hyphen, and single words on the last line of a service's text. */
const findBadBreaks = (page: Page) =>
  page.evaluate(() => {
    const bad: string[] = []
    const lineOf = (node: Node, start: number, end: number) => {
      const range = document.createRange()
      range.setStart(node, start)
      range.setEnd(node, end)
      return [...range.getClientRects()].map(({ bottom }) => Math.round(bottom))
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent ?? ''
      if (node.parentElement?.closest('script, style, svg')) continue
      for (const { 0: figure, index } of text.matchAll(/\d+-\w+/g))
        if (new Set(lineOf(node, index, index + figure.length)).size > 1) bad.push(`${figure}: ${text}`)
      const last = /\S+\s+(\S+)$/.exec(text)
      if (!last || !node.parentElement?.closest('#services li li, #services p')) continue
      const [before] = lineOf(node, last.index, last.index + 1)
      if (before !== lineOf(node, text.length - 1, text.length)[0]) bad.push(`orphan: ${text}`)
    }
    return bad
  })

/** How many lines of text the label of each result in the portfolio has. */
const countLines = (page: Page) =>
  page
    .locator('#portfolio article dt')
    .evaluateAll((labels) =>
      labels.map(
        (label) =>
          label.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(label).lineHeight),
      ),
    )

pageTest(
  'no figure is split across lines, no service ends with a lone word, and the label of each result fits on one line',
  async ({ page }) => {
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('data-laid-out')

    for (const font of ['Instrument Sans', 'Text fallback']) {
      if (font === 'Text fallback')
        await page.locator('html').evaluate((root) => root.removeAttribute('data-web-fonts'))
      await expect(page.locator('body')).toHaveCSS('font-family', new RegExp(`^"${font}"`))
      for (const width of [320, 360, 390, 600, 768, 1024, 1280, 1440, 1728]) {
        await page.setViewportSize({ width, height: 740 })
        if (font === 'Instrument Sans') expect([width, ...(await findBadBreaks(page))]).toEqual([width])
        if (width > 320)
          for (const lines of await countLines(page)) expect(lines, `${width} px, ${font}`).toBeCloseTo(1, 1)
      }
    }
  },
)

pageTest(
  'the printed page begins with our name and phone number, and has the form only if it is filled in',
  async ({ page }) => {
    await page.goto('/')
    await waitForHydration(page)
    const letterhead = page.locator('main p').first()
    await expect(letterhead).toBeHidden()
    await page.emulateMedia({ media: 'print' })

    await expect(letterhead).toBeVisible()
    await expect(letterhead).toContainText(brand.name)
    await expect(letterhead).toContainText(brand.phone)
    expect((await letterhead.boundingBox())?.y).toBeLessThan(20)
    await expect(fieldOf(page, 'First name')).toBeHidden()
    await expect(page.locator('#contact h2')).toBeHidden()
    await expect(page.locator('#contact').getByText(brand.phone).filter({ visible: true })).toHaveCount(1)

    await page.emulateMedia({ media: 'screen' })
    await fieldOf(page, 'First name').fill('Ada')
    await page.emulateMedia({ media: 'print' })
    await expect(fieldOf(page, 'First name')).toBeVisible()
    await expect(page.locator('#contact h2')).toBeVisible()
  },
)
