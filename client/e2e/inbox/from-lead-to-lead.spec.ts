import type { Locator } from '@playwright/test'
import { smallestPlan } from '../../../server/proof/testing/sample-plan.ts'
import { answerBox, choose, expect, heading, open, passTimeUntil, press, row, test, undone } from './test.ts'

test('after an action the next request opens, after the last the list', async ({ page, context, site }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.setViewportSize({ width: 390, height: 780 })
  await open(page, '/inbox')
  await page.route('**/result', (route) => route.abort(), { times: 4 })
  await row(page, 'Dana Whitfield').click()
  await choose(page, 'Lost')
  await expect(heading(page, 'Joanna Brandt-Featherstonehaugh')).toBeFocused()

  await test.step('the failure stays until it is repaired; other notices only cover it', async () => {
    const failure = page.getByText('Dana Whitfield: not changed. The server cannot be reached.')
    // It comes after a few tries.
    await page.clock.runFor(13_000)
    await expect(failure).toBeVisible()
    await page.clock.runFor(13_000)
    await expect(failure).toBeVisible()
    await choose(page, 'Copy the request')
    await expect(page.getByText('Copied.')).toBeVisible()
    const { reference, email, message } = await site.lead('Joanna')
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    for (const text of [reference, email, message, smallestPlan.name]) expect(copied).toContain(text)
    expect(copied).not.toMatch(/: *$/m)
    await expect(failure).toHaveCount(0)
    await press(page, 'Dismiss')
    await press(page, 'Try again')
    await expect(page.getByText('Dana Whitfield: marked as lost.')).toBeVisible()
    await expect(failure).toHaveCount(0)
  })

  await press(page, 'Undo')
  await expect(heading(page, 'Dana Whitfield')).toBeFocused()
  await undone(page)
  await page.goBack()
  await expect(page).toHaveURL('/inbox')
  await page.goForward()
  await press(page, 'Reply')
  await answerBox(page).fill('Yes')
  await press(page, 'Send')
  await expect(heading(page, 'Joanna Brandt-Featherstonehaugh')).toBeVisible()
  await choose(page, 'I answered elsewhere…')
  await press(page, 'Now')
  await expect(heading(page, 'Priya Raman')).toBeFocused()
  await press(page, 'Later')
  await page.getByLabel('Or at').fill('2026-03-16T10:00')
  await press(page, 'Follow up')

  await expect(page).toHaveURL('/inbox')
  await expect(page.getByText('Priya Raman: follow-up set for Mar 16, 10:00 AM.')).toBeVisible()
  await page.getByRole('link', { name: 'Priya Raman' }).last().click()
  await expect(page).toHaveURL(await site.path('Priya'))
  await page.goBack()
  await expect(page).toHaveURL('/inbox')

  await open(page, `${await site.path('Priya')}?view=all`)
  await choose(page, 'Remove the follow-up')
  await expect(page.getByText('Priya Raman: follow-up removed.')).toBeVisible()
  await expect(heading(page, 'Priya Raman')).toBeVisible()
})

test('a request that opened by itself stays new until somebody has looked at it', async ({ page, site }) => {
  const mark = (name: string) => row(page, name).getByText('New', { exact: true })
  const pass = (shown: Locator) => passTimeUntil(page, shown, 20)
  const finish = async (next: string) => {
    await choose(page, 'Lost')
    await pass(page.locator('article[aria-busy=false]').filter({ has: heading(page, next) }))
  }
  await open(page, '/inbox')
  await row(page, 'Marcus Oyelaran').click()
  await expect(page.locator('article[aria-busy=false]')).toBeVisible()
  await page.clock.pauseAt(site.now().getTime() + 10_000)
  await finish('Dana Whitfield')
  await pass(page.getByText('marked as lost.'))
  await press(page, 'Undo')
  await pass(page.getByText('undone.'))
  await pass(row(page, 'Marcus Oyelaran'))
  await finish('Dana Whitfield')
  await page.clock.runFor(1_000)
  await expect(mark('Dana Whitfield')).toBeVisible()
  await page.clock.runFor(1_000)
  await pass(row(page, 'Dana Whitfield').filter({ hasNotText: 'New' }))

  await finish('Joanna Brandt-Featherstonehaugh')
  await finish('Priya Raman')
  await expect(mark('Priya Raman')).toBeVisible()
  const seen = page.waitForRequest('**/seen')
  await heading(page, 'Priya Raman').click()
  await seen
})

test('the second tap of a double tap does not judge the next suspect', async ({ page, site }) => {
  const { website, message } = await site.lead('Robert')
  for (const name of ['Nora', 'Nils']) await site.arrive(name, 'New', { website, message })
  await page.setViewportSize({ width: 390, height: 780 })
  await open(page, '/inbox?view=suspects')
  await row(page, 'Nils').click()
  const spam = page.getByRole('button', { name: 'Spam', exact: true })
  // The second tap comes as soon as the next button is there.
  const secondTap = page.evaluate(
    () =>
      new Promise<void>((done) => {
        const observer = new MutationObserver(() => {
          const isNext = document.querySelector('article h1')?.textContent === 'Nora New'
          const button = document.querySelector<HTMLElement>('article section [data-key="!"]')
          if (!isNext || !button) return
          observer.disconnect()
          button.click()
          done()
        })
        observer.observe(document.body, { childList: true, subtree: true })
      }),
  )
  await spam.click()
  await secondTap

  await expect.poll(async () => (await site.lead('Nils')).state).toBe('spam')
  await expect(heading(page, 'Nora New')).toBeVisible()
  await spam.click()
  await expect(heading(page, 'Robert Smith')).toBeVisible()
  await expect.poll(async () => (await site.lead('Nora')).state).toBe('spam')
})

test('on a phone, each list keeps its own place', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 500 })
  await open(page, '/inbox')
  await press(page, 'More')
  await page.getByRole('link', { name: /^All \d/ }).click()
  await page.getByRole('link', { name: 'Erin Walsh' }).click()
  await page.getByRole('link', { name: 'Inbox', exact: true }).click()

  await expect(page.locator('[data-row]').first()).toBeInViewport()
  await page.goBack()
  await expect(heading(page, 'Erin Walsh')).toBeInViewport()
  await page.goBack()
  await expect(row(page, 'Erin')).toBeInViewport()
})

test('in a wide window, another list and a search begin at their top', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 500 })
  await open(page, '/inbox?view=all')
  const first = page.locator('[data-row]').first()
  await row(page, 'Erin').scrollIntoViewIfNeeded()
  await expect(first).not.toBeInViewport()
  await page.getByRole('link', { name: 'Open' }).click()
  await expect(page.getByRole('heading', { name: 'Requests: Open' })).toBeAttached()
  await expect(first).toBeInViewport()

  await row(page, 'Priya').scrollIntoViewIfNeeded()
  await expect(first).not.toBeInViewport()
  await page.getByRole('searchbox').fill('example')
  await expect(page.getByText(/requests found/)).toBeAttached()
  await expect(first).toBeInViewport()
})

test('going back from a request that has left the list leads to the one after it', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 500 })
  await open(page, '/inbox')
  for (const name of ['Joanna', 'Priya']) {
    await row(page, name).click()
    await choose(page, 'Won the job')
    await expect(row(page, name)).toHaveCount(0)
    await page.getByRole('link', { name: 'All requests' }).click()
    await expect(row(page, name === 'Joanna' ? 'Priya' : 'Dana')).toBeFocused()
  }
})
