import type { Page } from '@playwright/test'
import * as words from '#brand/words/form.ts'
import * as outcome from '#brand/words/outcome.ts'
import { getStarted, meanings } from '#brand/words/pricing.ts'
import { plans } from '#facts/plans.ts'
import { includedInAllPlans } from '#facts/promises.ts'
import { costOfFirstMonths } from '#shared/fact-checks/numbers.ts'
import { formatMoney } from '#shared/money.ts'
import { samplePlan, smallestPlan } from '../../server/proof/testing/sample-plan.ts'
import { boxOf, placeOf, setTextSize } from './look.ts'
import {
  confirmation,
  expect,
  failedNotice,
  failOnce,
  fieldOf,
  fillIn,
  open,
  sample,
  sendButton,
  sentToast,
  test,
  waitForHydration,
} from './test.ts'

type Plan = (typeof plans)[number]
const costText = (plan: Plan) => `${words.planCost}${formatMoney(costOfFirstMonths(plan))}`

/**
 * The visible lines about a plan: its name and terms, then what its first months cost in total. If
 * none is given, there are no lines.
 */
const expectPlan = (page: Page, plan?: Plan) =>
  expect(page.locator('[data-plan]:visible')).toHaveText(
    plan ? [`${plan.name}${words.planTerms(plan)}${words.changePlan}`, costText(plan)] : [],
  )

test('a link chooses a plan, which stays next to the fields until the form is sent', async ({ page }) => {
  await open(page, `/?plan=${smallestPlan.id}#contact`)
  await expect(fieldOf(page, 'Budget')).toHaveValue(smallestPlan.id)
  await expectPlan(page, smallestPlan)

  for (const [index, plan] of plans.entries()) {
    const link = page.getByRole('link', { name: getStarted }).nth(index)
    await link.click()
    // In another tab, the link still chooses the plan.
    await expect(link).toHaveAttribute('href', `/?plan=${plan.id}#contact`)
    await expect(link).toHaveAccessibleDescription(plan.name)
    await expect(page.locator('#contact').getByRole('heading').first()).toBeInViewport()
    await expect(fieldOf(page, 'Budget')).toHaveValue(plan.id)
    await expectPlan(page, plan)
    await expect(fieldOf(page, 'Budget')).toHaveAccessibleDescription(`${words.optional} ${costText(plan)}`)
  }
  const link = page.getByRole('link', { name: getStarted }).first()
  const tab = page.context().waitForEvent('page')
  await link.click({ modifiers: ['ControlOrMeta'] })
  await (await tab).close()
  // Which of these opens a tab or a window depends on the system.
  for (const key of ['ctrlKey', 'metaKey', 'shiftKey'])
    expect(await link.evaluate(isLeftToBrowser, { [key]: true }), key).toBe(true)
  await expect(fieldOf(page, 'Budget')).toHaveValue(String(plans.at(-1)?.id))
  await page.locator('form').getByRole('link', { name: words.changePlan }).click()
  await expect(fieldOf(page, 'Budget')).toBeFocused()
  await expect(page.locator('label[for=budget]')).toBeInViewport({ ratio: 1 })

  await test.step('on the next visit, a plan alone is no entry that comes back', async () => {
    await fieldOf(page, 'Budget').selectOption(samplePlan.id)
    await open(page)
    await expect(fieldOf(page, 'Budget')).toHaveValue(samplePlan.id)
    // Not retried: the notice would go by itself.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    expect(await page.getByText(words.restored).count()).toBe(0)
  })

  await test.step('after a reload and Back, the visitor’s entries and choice are there, not the plan in the URL', async () => {
    await open(page, `/?plan=${smallestPlan.id}`)
    await fillIn(page)
    await fieldOf(page, 'Budget').selectOption('')
    await page.reload()
    await expect(page.getByText(words.restored)).toBeVisible()
    await expect(fieldOf(page, 'Message')).toHaveValue(sample.Message)
    await expect(fieldOf(page, 'Budget')).toHaveValue('')
    await expectPlan(page)
    await fieldOf(page, 'Budget').selectOption(samplePlan.id)
    await page.goto('about:blank')
    await page.goBack()
    await waitForHydration(page)
    await expectPlan(page, samplePlan)
  })

  await sendButton(page).click()
  await expect(confirmation(page)).toBeVisible()
  await expectPlan(page)
})

/** Whether the page leaves a click with these keys to the browser. */
function isLeftToBrowser(element: Element, keys: MouseEventInit) {
  let isLeft = false
  const end = (event: Event) => {
    isLeft = !event.defaultPrevented
    event.preventDefault()
  }
  addEventListener('click', end, { once: true })
  element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...keys }))
  return isLeft
}

/** Whether the notice would be too narrow for a long address. */
function isTooNarrow(notice: Element) {
  const copy = notice.cloneNode(true) as Element
  const [address] = [...copy.querySelectorAll('a span')].slice(-1)
  if (address) address.textContent = 'hello@hinterlandwebwerkstattundsohn.example'
  notice.after(copy)
  const isWider = copy.scrollWidth > copy.clientWidth
  copy.remove()
  return isWider
}

/** Whether the toast is over any part of the element. */
const isCovered = (element: Element) => {
  const { left, top, right, bottom } = element.getBoundingClientRect()
  const toast = document.querySelector('[data-outcome]')?.getBoundingClientRect() ?? new DOMRect()
  return left < toast.right && toast.left < right && top < toast.bottom && toast.top < bottom
}

test('what became of a request gets the focus, and a place where it is easily seen', async ({ page }) => {
  await open(page)
  for (const [width, height, textSize, reducedMotion] of [
    [280, 653, 16, 'reduce'],
    [360, 740, 16, 'reduce'],
    [390, 844, 21, 'reduce'],
    [740, 360, 16, 'reduce'],
    // Smooth scrolling must end at the same places.
    [1440, 800, 16, 'no-preference'],
  ] as const) {
    await page.setViewportSize({ width, height })
    await setTextSize(page, textSize)
    await page.emulateMedia({ reducedMotion })
    await fillIn(page)
    await failOnce(page)
    await sendButton(page).click()
    await expect(failedNotice(page)).toHaveText(
      `${outcome.notSent} ${outcome.noResponse}${outcome.entriesKept}`,
    )
    const notice = page.locator('form [tabindex="-1"]').filter({ hasText: outcome.notSent })
    await expect(notice).toBeFocused()
    await placeOf(notice)
    // The toast says to try again or to email us, so it must not cover the button, the notice's
    // text or the address.
    const ways = page.locator('#contact a[href^="mailto:"]')
    for (const way of [sendButton(page), failedNotice(page), ...(await ways.all())])
      expect(await way.evaluate(isCovered), `at ${width} px`).toBe(false)
    await expect(sendButton(page)).toBeInViewport({ ratio: 1 })
    await expect(notice).toBeInViewport({ ratio: 0.95 })
    expect(await notice.evaluate(isTooNarrow), `the address at ${width} px`).toBe(false)

    await sendButton(page).click()
    await expect(confirmation(page)).toBeFocused()
    // The bob above the form's edge is in view, too.
    const { below } = await placeOf(page.locator('form'))
    expect(Math.round(below), `the form at ${width} px`).toBeGreaterThanOrEqual(36)
    expect(Math.round(below), `the form at ${width} px`).toBeLessThanOrEqual(84)
    const { right, bottom } = await placeOf(confirmation(page))
    const toast = await sentToast(page).boundingBox()
    expect(right < (toast?.x ?? 0) || bottom < (toast?.y ?? 0)).toBe(true)
    // What is beside the toast can be pressed.
    const place = [(toast?.x ?? 0) - 9, (toast?.y ?? 0) + 9] as const
    const beside = await page.evaluate(
      ([x, y]) => document.elementFromPoint(x, y)?.matches('[aria-live]'),
      place,
    )
    // On phones, there is nothing beside it.
    if (width > 480) expect(beside, `beside the toast at ${width} px`).toBe(false)
    expect((await boxOf(page, 'footer')).bottom).toBeCloseTo((await boxOf(page, 'body')).bottom, 0)
    // Screen readers read the confirmation because it gets the focus; a live region would repeat
    // it.
    const live = page.locator('[role=status], [aria-live]')
    await expect(live.filter({ hasText: outcome.requestIsIn })).toHaveCount(0)

    // The form is folded until the visitor wants to send another request.
    await expect(sendButton(page)).toBeHidden()
    const another = page.getByRole('link', { name: outcome.another })
    const call = page.locator('#contact a[href^="tel:"]').first()
    for (const link of [call, another]) {
      await link.focus()
      await expect.poll(() => link.evaluate(isCovered), `a focused link at ${width} px`).toBe(false)
    }
    await another.click()
    await expect(another).toBeHidden()
    await expect(fieldOf(page, 'First name')).toBeFocused()
    await expect(sentToast(page)).toBeHidden()
    await expect(confirmation(page)).toBeVisible()
  }
})

test('at most three notices stay for four seconds, and what became of the form until it is closed', async ({
  page,
}) => {
  await page.clock.install({ time: 0 })
  await open(page)
  await fieldOf(page, 'Message').fill(sample.Message)
  await page.clock.pauseAt(60_000)
  await page.reload()
  const notices = page.getByRole('region', { name: words.notices })
  const expectNotices = (...texts: string[]) => expect(notices.locator('p')).toHaveText(texts)
  const copy = page.getByRole('button', { name: words.copyAddress })
  const goOffline = () => page.evaluate(() => dispatchEvent(new Event('offline')))
  // The page starts while its clock runs in small steps.
  await expect(async () => {
    await page.clock.runFor(50)
    await expect(notices).toHaveText(words.restored, { timeout: 100 })
  }).toPass()
  for (const isAllowed of [true, false]) {
    await page.evaluate((isAllowed) => {
      navigator.clipboard.writeText = () => (isAllowed ? Promise.resolve() : Promise.reject())
    }, isAllowed)
    await copy.click()
  }
  await goOffline()
  await goOffline()
  await expectNotices(words.addressCopied, words.addressNotCopied, words.offline)
  await notices.getByRole('button').nth(1).click()
  await fillIn(page)
  await failOnce(page)
  await sendButton(page).click()
  await page.clock.runFor(1000)
  await expectNotices(words.restored, words.addressCopied, words.offline, outcome.failedText)
  await page.clock.fastForward(3500)
  await expectNotices(outcome.failedText)
  await page.clock.fastForward('15:00')
  await expectNotices(outcome.failedText)
  await notices.getByRole('button').click()
  await page.clock.runFor(100)
  await expectNotices()
  await expect(sendButton(page)).toBeFocused()
})

test('a tooltip opens 700 ms after the mouse has entered, or at once by a click or keyboard', async ({
  page,
}) => {
  await page.clock.install({ time: 0 })
  await open(page)
  await page.clock.pauseAt(60_000)
  const [uptime, backups] = includedInAllPlans
  const shown = page.getByRole('tooltip')
  await expect(page.getByRole('button', { name: uptime.name })).toHaveAccessibleDescription(meanings.uptime)
  await page.getByRole('button', { name: uptime.name }).hover()
  await page.clock.runFor(699)
  await expect(shown).toHaveCount(0)
  await page.clock.runFor(1)
  await expect(shown).toContainText(meanings[uptime.id])
  await page.mouse.move(0, 0)
  await page.clock.runFor(1000)
  await page.getByRole('button', { name: uptime.name }).hover()
  await page.clock.runFor(1)
  await expect(shown).toHaveCount(0)
  await page.mouse.down()
  await page.clock.runFor(1)
  await page.mouse.up()
  await page.clock.runFor(1)
  await expect(shown).toContainText(meanings[uptime.id])
  // Soon after one has closed, the next one opens at once.
  await page.getByRole('button', { name: backups.name }).hover()
  await page.clock.runFor(1)
  await expect(shown).toHaveText([meanings[backups.id]])
  await page.mouse.move(0, 0)
  await page.getByRole('link', { name: getStarted }).last().focus()
  await page.keyboard.press('Tab')
  await page.clock.runFor(1)
  await expect(shown).toContainText(meanings[uptime.id])
  await page.keyboard.press('Escape')
  await expect(shown).toHaveCount(0)

  await test.step('in the second of two narrow columns, it fits into the window', async () => {
    await page.setViewportSize({ width: 576, height: 740 })
    await page.getByRole('button', { name: backups.name }).focus()
    await page.clock.runFor(1)
    await expect(shown).toContainText(meanings[backups.id])
    await expect(shown).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')
  })

  await test.step('on a phone, it opens below its term, and closes, only by a tap', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    const term = page.getByRole('button', { name: uptime.name })
    for (const isOpen of [true, false, true]) {
      await term.click()
      await page.clock.runFor(1)
      await expect(shown).toHaveCount(isOpen ? 1 : 0)
    }
    await page.keyboard.press('Tab')
    await page.clock.runFor(1)
    await expect(shown).toHaveText([meanings[uptime.id]])
    const [above, below] = [await term.boundingBox(), await shown.boundingBox()]
    expect(below?.y).toBeGreaterThanOrEqual(Number(above?.y) + Number(above?.height))
  })
})
