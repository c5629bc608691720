import type { Locator, Page } from '@playwright/test'
import * as words from '#brand/words/form.ts'
import { notSent, requestIsIn } from '#brand/words/outcome.ts'
import { getStarted } from '#brand/words/pricing.ts'
import { plans } from '#facts/plans.ts'
import { contactPath } from '#shared/contact-request.ts'
import { samplePlan } from '../../server/proof/testing/sample-plan.ts'
import { costText, planLines, planTexts } from './plan-lines.ts'
import {
  confirmation,
  expect,
  fieldOf,
  fillIn,
  forgetFailedRequests,
  pageTest,
  sendButton,
  sentToast,
  test,
  waitForHydration,
} from './test.ts'

const phone = { width: 360, height: 740 }
const desktop = { width: 1440, height: 900 }

pageTest(
  'a Get Started link chooses its plan, which stays next to the fields with its cost until the form is sent',
  async ({ page }) => {
    await page.goto('/')
    await waitForHydration(page)
    await expect(planLines(page)).toHaveCount(0)
    for (const [index, plan] of plans.entries()) {
      await page.getByRole('link', { name: getStarted }).nth(index).click()
      await expect(page.locator('#contact').getByRole('heading').first()).toBeInViewport()
      await expect(fieldOf(page, 'Budget')).toHaveValue(plan.id)
      await expect(planLines(page)).toHaveText(planTexts(plan))
      await expect(fieldOf(page, 'Budget')).toHaveAccessibleDescription(`${words.optional} ${costText(plan)}`)
    }
    await page.locator('form').getByRole('link', { name: words.changePlan }).click()
    await expect(fieldOf(page, 'Budget')).toBeFocused()
    await expect(page.locator('label[for=budget]')).toBeInViewport({ ratio: 1 })

    for (const plan of plans) {
      await fieldOf(page, 'Budget').selectOption(plan.id)
      await expect(planLines(page)).toHaveText(planTexts(plan))
    }
    await fieldOf(page, 'Budget').selectOption('custom')
    await expect(planLines(page)).toHaveCount(0)
    await fieldOf(page, 'Budget').selectOption(samplePlan.id)
    await page.goto('about:blank')
    await page.goBack()
    await expect(planLines(page)).toHaveText(planTexts(samplePlan))
    await page.goto('/')
    await expect(planLines(page)).toHaveText(planTexts(samplePlan))

    await fillIn(page)
    await sendButton(page).click()
    await expect(confirmation(page)).toBeVisible()
    await expect(planLines(page)).toHaveCount(0)
  },
)

const fields = ['firstName', 'lastName', 'email', 'message', 'phone', 'company', 'website', 'budget']

pageTest(
  'at every width, required fields come first, all eight fields are visible, and the email address and the button that copies it have separate touch targets',
  async ({ page }) => {
    await page.goto('/')
    // Before this attribute is set, the styles below the first view may not have loaded.
    await expect(page.locator('html[data-laid-out]')).toBeAttached()
    for (const width of [320, 360, 768, 1024, 1100, 1440]) {
      await page.setViewportSize({ width, height: 740 })
      const controls = await page.locator('form [name]:is([maxlength], select)').evaluateAll((found) =>
        found.map((control) => {
          const { top, height } = control.getBoundingClientRect()
          return { name: control.getAttribute('name'), isVisible: control.checkVisibility(), top, height }
        }),
      )
      expect(controls.map(({ name }) => name)).toEqual(fields)
      expect(controls.every(({ isVisible }) => isVisible)).toBe(true)
      expect(controls.map(({ top }) => top)).toEqual(controls.map(({ top }) => top).sort((a, b) => a - b))
      const rows = Math.round(((controls[3]?.height ?? 0) - 18) / (1.5 * 17))
      expect(rows, `rows at ${width} px`).toBe(width < 576 ? 4 : 7)

      const address = await page.locator('#contact a[href^="mailto:"]').boundingBox()
      const button = await page.getByRole('button', { name: words.copyAddress }).boundingBox()
      if (!address || !button) throw new Error('not rendered')
      const isBeside = address.x + address.width <= button.x
      expect(isBeside || address.y + address.height <= button.y, `separate at ${width} px`).toBe(true)
      expect(Math.min(address.height, button.height)).toBeGreaterThanOrEqual(38)
    }
    await expect(page.getByText(words.optional + words.whyOptional)).toBeVisible()
    for (const label of ['Phone', 'Company', 'Website', 'Budget'])
      await expect(fieldOf(page, label)).toHaveAccessibleDescription(words.optional)
  },
)

/** Waits for scrolling to end, then returns how far the element is below the header and from the window's center. */
async function positionOf(page: Page, target: Locator) {
  const top = () => target.evaluate((element) => element.getBoundingClientRect().top)
  let last = await top()
  await expect
    .poll(async () => {
      const before = last
      await page.waitForTimeout(50)
      last = await top()
      return last - before
    })
    .toBe(0)
  return target.evaluate((element) => {
    const { top, bottom } = element.getBoundingClientRect()
    const header = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
    return { belowHeader: Math.round(top - header), fromMiddle: Math.abs((top + bottom - innerHeight) / 2) }
  })
}

const backgroundOf = (button: Locator) =>
  button.evaluate((element) => getComputedStyle(element).backgroundColor)

pageTest(
  'after a failure, the notice is in the middle of the window, and after sending, the confirmation is below the header',
  async ({ page, browserErrors }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.goto('/')
    for (const size of [phone, desktop]) {
      await page.setViewportSize(size)
      await fillIn(page)
      const loud = await backgroundOf(sendButton(page))

      await test.step(`after a failure at ${size.width} px, the notice is in the middle and has the focus`, async () => {
        await page.route(`**${contactPath}`, (route) => route.fulfill({ status: 500, body: '' }))
        await sendButton(page).click()
        const notice = page.locator('[tabindex="-1"]').filter({ hasText: notSent })
        await expect(notice).toBeFocused()
        // On a busy machine, scrolling starts so late that it seems to have ended.
        await expect.poll(async () => (await positionOf(page, notice)).fromMiddle).toBeLessThan(80)
        await page.unroute(`**${contactPath}`)
      })

      await test.step(`after sending at ${size.width} px, the confirmation is below the header and has the focus`, async () => {
        await sendButton(page).click()
        await expect(confirmation(page)).toBeFocused()
        const belowHeader = async () => (await positionOf(page, confirmation(page))).belowHeader
        await expect.poll(belowHeader).toBeGreaterThanOrEqual(40)
        expect(await belowHeader()).toBeLessThanOrEqual(56)
        // Screen readers read the confirmation because it gets the focus; a live region would repeat it.
        await expect(page.locator('[role=status], [aria-live]').filter({ hasText: requestIsIn })).toHaveCount(
          0,
        )
        const toast = await sentToast(page).boundingBox()
        const heading = await confirmation(page).evaluate((element) => {
          const range = document.createRange()
          range.selectNodeContents(element)
          const { right, bottom } = range.getBoundingClientRect()
          return { right, bottom }
        })
        expect(heading.right < (toast?.x ?? 0) || heading.bottom < (toast?.y ?? 0)).toBe(true)
      })

      await test.step('the button is plain until the next input', async () => {
        await expect(sendButton(page)).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
        await fieldOf(page, 'First name').press('A')
        await expect(sendButton(page)).toHaveCSS('background-color', loud)
        await expect(confirmation(page)).toBeVisible()
      })
    }
    forgetFailedRequests(browserErrors)
  },
)
