import type { Page } from '@playwright/test'
import { violationsInBothThemes } from '../axe.ts'
import { boxOf, findFaintControls, findMoving, findOverflow, focusState, setTextSize } from '../look.ts'
import { hold } from '../test.ts'
import { anna, answerBox, choose, code, expect, heading, openLead, row, test } from './test.ts'
import { walks } from './tour.ts'

const phone = { width: 390, height: 900 }

// Tables may scroll sideways (WCAG 1.4.10).
const unchecked = '.visually-hidden, [popover]:not(:popover-open), table'

/**
 * Checks the page as it is in both themes and in forced colors, and
 * whether it fits a window of 320 x 256 with double text size.
 */
async function problemsIn(page: Page): Promise<string[]> {
  const problems = [...(await findFaintControls(page)), ...(await violationsInBothThemes(page))]
  const size = page.viewportSize() ?? phone
  await page.setViewportSize({ width: 320, height: 256 })
  await setTextSize(page, 32)
  problems.push(...(await findOverflow(page, unchecked)))
  await setTextSize(page, 16)
  await page.setViewportSize(size)
  return problems
}

// Each of these has only what other views also have.
const repeated =
  /^(lead|list|note|more|later|not-found|not-spam|bounced|stuck|remove-passkey|sign-out-device|sign-in|mail-failed|mail-waiting)$/

for (const [name, walk] of Object.entries(walks))
  test(`axe finds nothing, no control is faint, and nothing is cut off (${name})`, async ({ page, site }) => {
    const found: Record<string, string[]> = {}
    await page.setViewportSize(phone)
    const see = async (what: string) => {
      if (!repeated.test(what)) found[what] = await problemsIn(page)
    }
    await walk({ page, site, see })

    expect(Object.entries(found).filter(([, problems]) => problems.length > 0)).toEqual([])
  })

/** Whether nothing around a focused element cuts off the sides of its focus ring. */
function isRingWhole(element: Element) {
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(element)
  const reach = outlineStyle === 'none' ? 0 : parseFloat(outlineWidth) + parseFloat(outlineOffset)
  const { left, right } = element.getBoundingClientRect()
  for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
    const around = box.getBoundingClientRect()
    if (getComputedStyle(box).overflowX === 'visible') continue
    if (left - reach < around.left - 1 || right + reach > around.right + 1) return false
  }
  return true
}

async function tabTo(page: Page, isThere: (focus: { text: string; id: string }) => boolean) {
  for (let tabs = 0; tabs < 40; tabs++) {
    await page.keyboard.press('Tab')
    const focus = await focusState(page)
    expect(focus).toMatchObject({ isVisible: true })
    expect(await page.locator(':focus').evaluate(isRingWhole), focus.text).toBe(true)
    if (isThere(focus)) return
  }
  throw new Error('The Tab key never reached the element.')
}

test('an owner can sign in, answer and undo with only the keyboard', async ({ page, context, site }) => {
  await page.setViewportSize({ width: 1280, height: 740 })
  await context.clearCookies()
  await page.goto('/inbox')
  await expect(page.locator('#address')).toBeVisible()

  await tabTo(page, ({ id }) => id === 'address')
  await page.keyboard.type(anna)
  const sent = await site.textInEmail(code, () => page.keyboard.press('Enter'))
  await expect(page.getByLabel('Code')).toBeFocused()
  await expect(page.getByLabel('Code')).toHaveAccessibleDescription(/works for \d+ minutes/)
  await page.keyboard.type(sent.toLowerCase().replace('-', ' '))
  await expect(row(page, 'Dana Whitfield')).toBeVisible()
  await tabTo(page, ({ text }) => text.includes('Dana Whitfield'))
  const openReply = async () => {
    await page.keyboard.press('Enter')
    await expect(heading(page, 'Dana Whitfield')).toBeFocused()
    await tabTo(page, ({ text }) => text === 'Reply')
    await page.keyboard.press('Enter')
    await expect(answerBox(page)).toBeFocused()
  }
  await openReply()
  await page.keyboard.type('We can start on Monday.')
  // After a change by somebody else, such as the mail server, it can't be pressed for a moment.
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled()
  for (const control of ['Attach files', 'Send']) {
    await page.keyboard.press('Tab')
    expect((await focusState(page)).text).toBe(control)
  }
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
  await page.setViewportSize({ width: 390, height: 740 })
  // The list has the undone request again once it is refreshed.
  await expect(row(page, 'Dana Whitfield')).toBeAttached()
  await page.keyboard.press('u')
  await expect(row(page, 'Dana Whitfield')).toBeFocused()
  await openReply()
  await tabTo(page, ({ text }) => text === 'Send')
  await page.keyboard.press('Escape')
  await tabTo(page, ({ text }) => text === 'Done')
  await page.keyboard.press('Enter')
  await tabTo(page, ({ text }) => text.startsWith('Won the job'))
  await page.keyboard.press('Escape')

  // In a low window, what gets the focus was behind the bar of actions.
  const email = page.locator('a[href^="mailto:dana@"]').first()
  for (const width of [390, 1100]) {
    await page.setViewportSize({ width, height: 740 })
    const { bottom } = await boxOf(page, 'a[href^="mailto:dana@"]')
    await page.setViewportSize({ width, height: Math.ceil(bottom) })
    await email.focus()
    expect(await focusState(page), `at ${width} px`).toMatchObject({ isVisible: true })
    await email.blur()
  }
})

test('a button keeps the focus while it works, and ignores presses', async ({ page, site }) => {
  let sent = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/notes')) sent++
  })
  const release = await hold(page, '**/notes')
  await openLead(page, site, 'Dana')
  await choose(page, 'Add a note')
  await page.getByLabel('Note', { exact: true }).fill('Called twice.')
  await page.getByRole('button', { name: 'Save the note' }).focus()
  await page.keyboard.press('Enter')
  const button = page.getByRole('button', { name: 'Saving…' })
  await expect(button).toBeDisabled()
  await page.keyboard.press('Enter')
  // The browser takes the focus from a disabled button in its next frame.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
  await expect(button).toBeFocused()
  release()

  await expect(page.getByText('note saved.')).toBeVisible()
  expect(sent).toBe(1)
})

test('beside the list, a request has no problem, and current links have bars or outlines', async ({
  page,
  site,
}) => {
  await openLead(page, site, 'Dana')
  expect(await problemsIn(page)).toEqual([])

  await page.emulateMedia({ forcedColors: 'active' })
  const bars = () =>
    page.locator('nav :is(a, button):visible').evaluateAll((controls) =>
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
  expect(await bars()).toEqual(['Open'])
  await expect(page.locator('[data-row][aria-current]')).not.toHaveCSS('outline-style', 'none')
  await page.getByRole('link', { name: 'Requests' }).click()
  await expect.poll(bars).toEqual(['Requests', 'Open'])
})
