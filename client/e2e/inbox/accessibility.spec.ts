import type { Page } from '@playwright/test'
import { violations } from '../axe.ts'
import { findFaintControls, findMoving, findOverflow, focusState, setTextSize } from '../look.ts'
import { anna, answerBox, code, expect, heading, row, test, waitForApplication } from './test.ts'
import { walks } from './tour.ts'

// Tables may scroll sideways (WCAG 1.4.10).
const unchecked = '.visually-hidden, [popover]:not(:popover-open), table'

async function useLightPhone(page: Page) {
  await page.setViewportSize({ width: 390, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}

/** Checks the page as it is on a phone in light mode, then in a small window, with double text size, and wide in dark mode. */
async function problemsIn(page: Page): Promise<string[]> {
  const problems = [...(await violations(page)), ...(await findFaintControls(page))]
  await page.setViewportSize({ width: 320, height: 256 })
  problems.push(...(await findOverflow(page, unchecked)))
  await page.setViewportSize({ width: 360, height: 740 })
  await setTextSize(page, 32)
  problems.push(...(await findOverflow(page, unchecked)).map((found) => `double text size: ${found}`))
  await setTextSize(page, 16)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.emulateMedia({ colorScheme: 'dark' })
  problems.push(...(await violations(page, ['color-contrast'])).map((found) => `dark: ${found}`))
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
    await expect(page.locator('#address')).toBeVisible()

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
    // The browser asks for reduced motion.
    expect(await findMoving(page)).toEqual([])
    const [answer] = await site.answers('Dana')
    expect(answer).toContain('Thank you for your request.\n\nWe can start on Monday.\n\nAnna')

    // The next request has opened.
    await expect(heading(page, 'Joanna Brandt-Featherstonehaugh')).toBeFocused()
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

test('in forced colors, exactly the current page and the current view have a bar', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/inbox')
  await waitForApplication(page)
  const bars = page.locator('nav :is(a, button):visible').evaluateAll((controls) =>
    controls
      .filter((control) => {
        const { borderBlockEndWidth, borderBlockEndColor } = getComputedStyle(control)
        return (
          borderBlockEndWidth === '3px' &&
          borderBlockEndColor !== getComputedStyle(document.body).backgroundColor
        )
      })
      .map((control) => control.textContent?.replace(/[ \d]+$/, '')),
  )
  expect(await bars).toEqual(['Requests', 'Open'])
})
