import type { Page } from '@playwright/test'
import { violations } from '../axe.ts'
import { findFaintControls, findMoving, findOverflow, focusState } from '../look.ts'
import {
  anna,
  answerBox,
  code,
  expect,
  heading,
  openReply,
  press,
  row,
  test,
  waitForApplication,
} from './test.ts'
import { walks } from './tour.ts'

// Tables may scroll sideways (WCAG 1.4.10).
const unchecked = '.visually-hidden, [popover]:not(:popover-open), table'

/** Finds what does not fit into a window of 320 x 256, or on a phone with double text size. */
async function cutOff(page: Page): Promise<string[]> {
  const browser = await page.context().newCDPSession(page)
  const setTextSize = (standard: number) => browser.send('Page.setFontSizes', { fontSizes: { standard } })
  await page.setViewportSize({ width: 320, height: 256 })
  const small = await findOverflow(page, unchecked)
  await page.setViewportSize({ width: 360, height: 740 })
  await setTextSize(32)
  const large = await findOverflow(page, unchecked)
  await setTextSize(16)
  await browser.detach()
  return [...small, ...large.map((element) => `double text size: ${element}`)]
}

async function lowContrastInTheDark(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'dark' })
  return (await violations(page, ['color-contrast'])).map((violation) => `dark: ${violation}`)
}

async function useLightPhone(page: Page) {
  await page.setViewportSize({ width: 390, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Checks the page as it is on a phone in light mode, and then in other sizes and colors. */
async function problemsIn(page: Page): Promise<string[]> {
  const problems = [
    ...(await violations(page)),
    ...(await findFaintControls(page)),
    ...(await cutOff(page)),
    ...(await lowContrastInTheDark(page)),
  ]
  await useLightPhone(page)
  return problems
}

for (const [name, walk] of Object.entries(walks))
  test(`on phones and wide screens, light and dark, axe finds no problem in the inbox, every control is visible in forced colors, and nothing is cut off (${name})`, async ({
    page,
    site,
    dataDir,
  }) => {
    const found: Record<string, string[]> = {}
    await useLightPhone(page)
    await walk({
      ...{ page, site, dataDir },
      async see(what) {
        found[what] = await problemsIn(page)
      },
    })

    expect(Object.entries(found).filter(([, problems]) => problems.length > 0)).toEqual([])
  })

test('with reduced motion, nothing in the inbox moves', async ({ page, site }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await openReply(page, site)
  await press(page, 'Send')
  await page.getByRole('button', { name: 'Undo' }).waitFor()

  expect(await findMoving(page)).toEqual([])
})

async function tabTo(page: Page, isThere: (focus: { text: string; id: string }) => boolean) {
  for (let tabs = 0; tabs < 40; tabs++) {
    await page.keyboard.press('Tab')
    const focus = await focusState(page)
    expect(focus).toMatchObject({ isVisible: true })
    if (isThere(focus)) return
  }
  throw new Error('The Tab key never reached the element.')
}

for (const width of [390, 1280])
  test(`an owner can sign in, answer, undo and go back using only the keyboard, at ${width} px`, async ({
    page,
    context,
    site,
  }) => {
    await page.setViewportSize({ width, height: 740 })
    await context.clearCookies()
    await page.goto('/inbox')

    await tabTo(page, ({ id }) => id === 'address')
    await page.keyboard.type(anna)
    const sent = await site.textInEmail(code, () => page.keyboard.press('Enter'))
    await expect(page.getByLabel('Code')).toBeFocused()
    await page.keyboard.type(sent.toLowerCase().replace('-', ' '))
    await expect(row(page, 'Dana Whitfield')).toBeVisible()
    await tabTo(page, ({ text }) => text.includes('Dana Whitfield'))
    await page.keyboard.press('Enter')
    await expect(heading(page, 'Dana Whitfield')).toBeFocused()
    await tabTo(page, ({ text }) => text === 'Reply')
    await page.keyboard.press('Enter')
    await expect(answerBox(page)).toBeFocused()
    await page.keyboard.type('We can start on Monday.')
    await page.keyboard.press('Tab')
    expect((await focusState(page)).text).toBe('Send')
    await page.keyboard.press('Enter')

    await expect(page.getByText('Sending your answer to Dana')).toBeVisible()
    const [answer] = await site.answers('Dana')
    expect(answer).toContain('Thank you for your request.\n\nWe can start on Monday.\n\nAnna')

    await expect(page.getByRole('button', { name: 'Reply' })).toBeFocused()
    await tabTo(page, ({ text }) => text === 'Undo')
    await page.keyboard.press('Enter')
    await expect(answerBox(page)).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(heading(page, 'Dana Whitfield')).toBeFocused()
    // The list has the undone request again once it is refreshed.
    await expect(row(page, 'Dana Whitfield')).toBeAttached()
    await page.keyboard.press('u')
    await expect(row(page, 'Dana Whitfield')).toBeFocused()
  })

/** The names of the visible links and buttons in menus and tabs that have a bar below them. */
function findBars() {
  const ground = getComputedStyle(document.body).backgroundColor
  return [...document.querySelectorAll('nav :is(a, button)')]
    .filter((control) => control.checkVisibility({ visibilityProperty: true }))
    .filter((control) => {
      const { borderBlockEndWidth, borderBlockEndColor } = getComputedStyle(control)
      return borderBlockEndWidth === '3px' && borderBlockEndColor !== ground
    })
    .map((control) => control.textContent?.replace(/[ \d]+$/, ''))
}

test('in forced colors, exactly the current page and the current view have a bar', async ({ page, site }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  for (const [path, bars] of [
    ['/inbox', ['Requests', 'Open']],
    [`${await site.path('Robert')}?view=suspects`, ['Suspects']],
    ['/inbox/access', ['Access']],
  ] as const) {
    await page.goto(path)
    await waitForApplication(page)
    expect(await page.evaluate(findBars)).toEqual(bars)
  }
})
