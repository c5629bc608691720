import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, pageTest as test } from '../test.ts'
import { fakeInbox } from './fake-inbox.ts'
import { openState, stateNames } from './states.ts'

async function violations(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const result = await (rules ? axe.withRules(rules) : axe).analyze()
  return result.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`))
}

/** Opens the states one after the other. Returns what is found in which. */
async function findInStates(page: Page, names: string[], find: () => Promise<string[]>) {
  const found: Record<string, string[]> = {}
  for (const name of names) {
    await openState(page, name)
    const list = await find()
    if (list.length > 0) found[name] = list
  }
  return found
}

/** With forced colors, a control without a border or underline looks like text. */
async function faintControls(page: Page): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active' })
  const faint = await page
    .locator('button, input:not([type=checkbox]), select, textarea')
    .evaluateAll((controls) =>
      controls
        .filter((control) => control.checkVisibility())
        .filter((control) => {
          const { borderTopWidth, textDecorationLine } = getComputedStyle(control)
          return borderTopWidth === '0px' && textDecorationLine === 'none'
        })
        .map((control) => `faint: ${control.outerHTML.slice(0, 90)}`),
    )
  await page.emulateMedia({ forcedColors: null })
  return faint
}

for (const third of [0, 1, 2]) {
  const names = stateNames.filter((_, index) => index % 3 === third)

  test.describe('on a phone, light', () => {
    test.use({ viewport: { width: 390, height: 900 }, contextOptions: { reducedMotion: 'reduce' } })

    test(`axe finds nothing in the inbox, and forced colors leave every control visible, third ${third + 1} of its states`, async ({
      page,
      browserErrors,
    }) => {
      test.slow()
      const find = async () => [...(await violations(page)), ...(await faintControls(page))]
      expect(await findInStates(page, names, find)).toEqual({})
      browserErrors.length = 0
    })
  })

  test.describe('on a wide screen, dark', () => {
    const viewport = { width: 1440, height: 900 }
    test.use({ viewport, colorScheme: 'dark', contextOptions: { reducedMotion: 'reduce' } })

    test(`axe finds no contrast that is too low in the inbox, third ${third + 1} of its states`, async ({
      page,
      browserErrors,
    }) => {
      test.slow()
      const find = () => violations(page, ['color-contrast'])
      expect(await findInStates(page, names, find)).toEqual({})
      browserErrors.length = 0
    })
  })
}

const findOverflow = (page: Page) =>
  page.evaluate(() => {
    const limit = document.documentElement.clientWidth
    const isHidden = (element: Element) =>
      // Tables may scroll by themselves (WCAG 1.4.10).
      element.closest('.visually-hidden, [popover]:not(:popover-open), table') !== null
    const outside = [...document.querySelectorAll('body :not(svg *)')].filter(
      (element) => !isHidden(element) && element.getBoundingClientRect().right > limit + 1,
    )
    const causes = outside.filter(
      (element) => !outside.some((other) => element !== other && element.contains(other)),
    )
    return [
      document.documentElement.scrollWidth > limit ? 'scrolls sideways' : '',
      ...causes.map((element) => element.outerHTML.slice(0, 120)),
    ].filter(Boolean)
  })

for (const half of [0, 1])
  test(`nothing in the inbox is cut off in a window of 320 x 256, or with double text size on a phone, half ${half + 1} of its states`, async ({
    page,
    browserErrors,
  }) => {
    test.slow()
    const names = stateNames.filter((_, index) => index % 2 === half)
    const browser = await page.context().newCDPSession(page)
    const setTextSize = (standard: number) => browser.send('Page.setFontSizes', { fontSizes: { standard } })

    const found = await findInStates(page, names, async () => {
      await page.setViewportSize({ width: 320, height: 256 })
      const small = await findOverflow(page)
      await page.setViewportSize({ width: 360, height: 740 })
      await setTextSize(32)
      const large = await findOverflow(page)
      await setTextSize(16)
      return [...small, ...large.map((element) => `double text size: ${element}`)]
    })

    expect(found).toEqual({})
    browserErrors.length = 0
  })

test('with reduced motion, nothing in the inbox moves', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openState(page, 'undo')

  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(
        ({ effect, playState }) =>
          playState === 'running' && Number(effect?.getComputedTiming().activeDuration) > 1,
      )
      .map(({ effect }) => (effect as KeyframeEffect).target as HTMLElement)
      .filter((element) => element.checkVisibility())
      .map((element) => element.outerHTML.slice(0, 90)),
  )
  expect(moving).toEqual([])
})

const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement
    const { left, top, width, height } = element.getBoundingClientRect()
    const at = document.elementFromPoint(left + width / 2, top + Math.min(height, 40) / 2)
    const isVisible = at !== null && (element.contains(at) || at.contains(element))
    return { isVisible, text: element.textContent?.trim() ?? '', id: element.id }
  })

async function tabTo(page: Page, isThere: (focus: { text: string; id: string }) => boolean) {
  for (let tabs = 0; tabs < 40; tabs++) {
    await page.keyboard.press('Tab')
    const focus = await focused(page)
    expect(focus).toMatchObject({ isVisible: true })
    if (isThere(focus)) return
  }
  throw new Error('The Tab key never reached it.')
}

for (const width of [390, 1280])
  test(`an owner can sign in and answer using only the keyboard, at ${width} px`, async ({
    page,
    browserErrors,
  }) => {
    await page.setViewportSize({ width, height: 740 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const { state } = await fakeInbox(page)
    state.session = null
    await page.goto('/inbox')

    await tabTo(page, ({ id }) => id === 'address')
    await page.keyboard.type('anna@plumbline.example')
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Code')).toBeFocused()
    await page.keyboard.type('k7mf 29qx')
    await expect(page.getByText('Dana Whitfield')).toBeVisible()
    await tabTo(page, ({ text }) => text.includes('Dana Whitfield'))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Dana Whitfield' })).toBeFocused()
    await tabTo(page, ({ text }) => text === 'Reply')
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Your answer')).toBeFocused()
    await page.keyboard.type('We can start on Monday.')
    await page.keyboard.press('Tab')
    expect((await focused(page)).text).toBe('Send')
    await page.keyboard.press('Enter')

    await expect(page.getByText('Sending your answer to Dana')).toBeVisible()
    const answer = state.calls.find(({ call }) => call.endsWith('/answers'))
    expect(answer?.body.text).toContain('Thank you for your request.\n\nWe can start on Monday.\n\nAnna')
    browserErrors.length = 0
  })
