import type { Page } from '@playwright/test'
import { markLead } from '../../../server/inbox/leads/change-lead.ts'
import { hold } from '../test.ts'
import { ben, choose, expect, heading, openLead, press, stayOnLead, test } from './test.ts'

test.beforeEach(({ context }) => stayOnLead(context))

const shown = (page: Page, state: string) => page.locator(`main article [data-state=${state}]`)

test('a change can be undone, again if the server is not ready', async ({ page, site }) => {
  const json = { detail: 'Please try again.' }
  await page.route('**/undo', (route) => route.fulfill({ status: 503, json }), { times: 1 })
  await openLead(page, site, 'Pat')
  const { version, ...before } = await site.lead('Pat')
  await choose(page, 'Remove the follow-up')
  await press(page, 'Undo')
  await expect(page.getByText(json.detail)).toBeVisible()
  await press(page, 'Try again')
  await expect(page.getByText('undone.')).toBeVisible()
  expect(await site.lead('Pat')).toEqual({ ...before, version: version + 2 })
})

test('a change shows at once, and what did not happen is taken back', async ({ page, site }) => {
  const sent: string[] = []
  page.on('request', (request) => request.url().endsWith('/state') && sent.push(request.postDataJSON().state))
  await openLead(page, site, 'Dana')

  await test.step('two changes', async () => {
    const release = await hold(page, '**/state')
    await choose(page, 'I answered elsewhere…')
    await press(page, 'Now')
    await expect(shown(page, 'answered')).toBeVisible()
    await choose(page, 'Won: the job is ours')
    await expect(shown(page, 'won')).toBeVisible()
    await expect(page.getByText('Saving…')).toBeVisible()
    expect(sent).toEqual(['answered'])
    release()
    await expect.poll(() => site.lead('Dana')).toMatchObject({ state: 'won', version: 2 })
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    await expect(page.getByText('By email, ')).toBeVisible()
  })

  const changed = page.getByText('This lead has changed. Look at it again before you go on.')
  await test.step('an undo after a change of another owner', async () => {
    await site.by(ben, 'Dana', markLead, { state: 'answered' })
    await expect(shown(page, 'answered')).toBeVisible()
    await press(page, 'Undo')
    await expect(changed).toBeVisible()
    await expect(shown(page, 'answered')).toBeVisible()
    await press(page, 'Dismiss')
  })

  await test.step('a change after that of another owner, who was faster', async () => {
    const release = await hold(page, '**/state')
    await choose(page, 'Reopen')
    await expect(shown(page, 'open')).toBeVisible()
    await site.by(ben, 'Dana', markLead, { state: 'lost' })
    release()
    await expect(changed).toBeVisible()
    await expect(shown(page, 'lost')).toBeVisible()
  })

  await test.step('two changes that are lost on their way', async () => {
    const release = await hold(page, '**/state', 'abort')
    await page.route('**/api/leads/*', (route) => route.abort())
    await choose(page, 'Won: the job is ours')
    await choose(page, 'Spam')
    await expect(shown(page, 'spam')).toBeVisible()
    release()
    await expect(page.getByText('not changed. The server cannot be reached.')).toHaveCount(1)
    await expect(shown(page, 'lost')).toBeVisible()
  })
})

const pressWithKeyboard = async (page: Page, name: string) => {
  await page.getByRole('button', { name, exact: true }).focus()
  await page.keyboard.press('Enter')
}

test('a notice hands the focus on if it is closed, not if it ends', async ({ page, context, site }) => {
  // The headless shell allows copying only with this permission.
  await context.grantPermissions(['clipboard-write'])
  await openLead(page, site, 'Dana')
  const dismiss = page.getByRole('button', { name: 'Dismiss' })
  for (const button of ['Undo', 'Dismiss']) {
    await choose(page, 'Won: the job is ours')
    await pressWithKeyboard(page, button)
    await expect(heading(page, 'Dana Whitfield')).toBeFocused()
    if (button === 'Undo') await dismiss.click()
  }

  await choose(page, 'Copy everything')
  await dismiss.waitFor()
  await dismiss.focus()
  await page.clock.runFor(13_000)
  await expect(dismiss).toBeVisible()
  await dismiss.blur()
  await page.getByText('Copied.').hover()
  await page.clock.runFor(13_000)
  await expect(dismiss).toBeVisible()
  await page.mouse.move(0, 0)
  await page.clock.runFor(11_000)
  await expect(dismiss).toBeVisible()
  await page.clock.runFor(2_000)
  await expect(dismiss).toHaveCount(0)
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('body')
})
