import type { Page } from '@playwright/test'
import { expect, pageTest as test } from '../test.ts'
import { fakeInbox } from './fake-inbox.ts'

const dana = '/inbox/Q-7K3M-9QXD'
const inMenu = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name, exact: true }).click()
}
const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click()
const followUp = async (page: Page) => {
  await inMenu('Follow up on…')(page)
  await page.getByRole('button', { name: /Tomorrow/ }).click()
}

// The leads, in this order: open with a failed answer, suspected of being spam, answered with a follow-up date, won, and
// marked as spam.
const everyChange: Record<string, ((page: Page) => Promise<void>)[]> = {
  'Q-9HHC-20TB': [
    inMenu('I answered elsewhere'),
    inMenu('Won: the job is ours'),
    inMenu('Lost'),
    inMenu('Spam'),
    followUp,
  ],
  'Q-8FGZ-T5RE': [press('Not spam'), press('Spam'), inMenu('I answered elsewhere'), followUp],
  'Q-6S4Q-M1JA': [inMenu('Reopen'), inMenu('Remove the follow-up'), inMenu('Spam'), followUp],
  'Q-3XKB-C6ND': [inMenu('Reopen'), inMenu('Lost'), inMenu('Spam')],
  'Q-0PWL-7HJS': [inMenu('Not spam: reopen')],
}

test('every change to a request can be undone from the notice about it', async ({ page }) => {
  test.setTimeout(60_000)
  const { state } = await fakeInbox(page)
  await page.goto('/inbox?view=all')

  for (const [reference, changes] of Object.entries(everyChange))
    await test.step(`every change to ${reference} can be undone`, async () => {
      const found = () => state.leads.find((lead) => lead.reference === reference)
      await page.locator(`[data-row=${reference}]`).click()
      await expect(page.getByRole('heading', { name: found()?.name ?? '' })).toBeVisible()

      for (const change of changes) {
        const before = { ...found(), isUnread: false }
        await change(page)
        await page.getByRole('button', { name: 'Undo' }).click()
        await expect(page.getByText('Undone.')).toBeVisible()

        expect(found()).toEqual({ ...before, version: Number(before.version) + 2 })
        const [changed, undone] = state.calls.filter(({ call }) => !call.endsWith('/seen')).slice(-2)
        expect(changed?.body.version).toBe(before.version)
        expect(undone?.call).toBe(`POST /leads/${reference}/undo`)
        expect(undone?.body).toEqual({ version: Number(before.version) + 1 })
        await page.getByRole('button', { name: 'Dismiss' }).click()
      }
    })
})

test('a change shows before the server responds, and the next one waits for it and builds on it', async ({
  page,
}) => {
  const { state } = await fakeInbox(page)
  const gate = Promise.withResolvers<void>()
  await page.route('**/state', async (route) => {
    await gate.promise
    await route.fallback()
  })
  await page.goto(dana)
  const shown = (name: string) => page.locator(`main article [data-state=${name}]`)
  const calls = () => state.calls.filter(({ call }) => call.endsWith('/state')).map(({ body }) => body)

  await inMenu('I answered elsewhere')(page)
  await expect(shown('answered')).toBeVisible()
  await inMenu('Won: the job is ours')(page)
  await expect(shown('won')).toBeVisible()
  await expect(page.getByText('Saving…')).toBeVisible()
  expect(calls()).toEqual([])
  gate.resolve()

  await expect.poll(calls).toEqual([
    { state: 'answered', version: 1 },
    { state: 'won', version: 2 },
  ])
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
})

test('if the server rejects two changes, the page shows neither', async ({ page, browserErrors }) => {
  await fakeInbox(page)
  const gate = Promise.withResolvers<void>()
  await page.goto(dana)
  await expect(page.getByRole('button', { name: 'Done' })).toBeVisible()
  await inMenu('Won: the job is ours')(page)
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.route('**/state', async (route) => {
    await gate.promise
    await route.abort()
  })
  await page.route('**/api/leads**', (route) =>
    route.request().method() === 'GET' ? route.abort() : route.fallback(),
  )
  await inMenu('Lost')(page)
  await inMenu('Spam')(page)
  await expect(page.locator('main article [data-state=spam]')).toBeVisible()
  gate.resolve()

  await expect(page.getByText('The server cannot be reached.')).toHaveCount(2)
  await expect(page.locator('main article [data-state=won]')).toBeVisible()
  browserErrors.length = 0
})

test('if the server rejects a change or cannot undo it, a notice says why, and the page shows what is true', async ({
  page,
  browserErrors,
}) => {
  const { state } = await fakeInbox(page)
  await page.goto(dana)
  await expect(page.getByRole('button', { name: 'Done' })).toBeVisible()

  await test.step('a change that the server rejects is rolled back, and a notice says why', async () => {
    state.refuse = {
      status: 409,
      body: { detail: 'Ben has already marked this lead as lost.', current: { state: 'lost', version: 7 } },
    }
    Object.assign(state.leads.find(({ firstName }) => firstName === 'Dana') ?? {}, {
      state: 'lost',
      version: 7,
    })
    await inMenu('Won: the job is ours')(page)
    await expect(page.getByText('Ben has already marked this lead as lost.')).toBeVisible()
    await expect(page.locator('main article [data-state=lost]')).toBeVisible()
    state.refuse = undefined
  })

  await test.step('if the server cannot undo a change, Undo is offered again', async () => {
    await inMenu('Won: the job is ours')(page)
    await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
    state.refuse = { status: 503, body: { detail: 'Please try again.' } }
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Please try again.')).toBeVisible()
    state.refuse = undefined
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Undone.')).toBeVisible()
  })
  browserErrors.length = 0
})

test('after "Not spam", the owner can send the withheld receipt', async ({ page }) => {
  const { state } = await fakeInbox(page)
  const sendReceipt = page.getByRole('button', { name: 'Send the receipt' })
  await page.goto('/inbox/Q-8FGZ-T5RE?view=all')

  await test.step('after "Not spam", the owner can send the withheld receipt', async () => {
    const notSpam = page.getByRole('button', { name: 'Not spam' })
    await expect(notSpam).toBeVisible()
    await expect(sendReceipt).toHaveCount(0)
    await notSpam.click()
    await sendReceipt.click()
    await expect(page.getByText('The receipt is on its way to robert@example.com.')).toBeVisible()
    expect(state.calls.map(({ call }) => call)).toContain('POST /leads/Q-8FGZ-T5RE/receipt')
    await expect(sendReceipt).toHaveCount(0)
  })

  await test.step('"Not spam" in the menu reopens the lead, and the owner can send the withheld receipt', async () => {
    for (let notices = 0; notices < 2; notices++)
      await page.getByRole('button', { name: 'Dismiss' }).first().click()
    await page.getByRole('link', { name: /Vera Lang/ }).click()
    await inMenu('Not spam: reopen')(page)
    await expect(sendReceipt).toBeVisible()
    expect(state.calls.at(-1)).toMatchObject({ body: { state: 'open' } })
    await page.getByRole('link', { name: /^Open/ }).click()
    await expect(page.getByRole('link', { name: /Vera Lang/ })).toBeVisible()
  })
})

test.describe('in a time zone where it is already the next day', () => {
  test.use({ timezoneId: 'Pacific/Auckland' })

  test('"Tomorrow" still means tomorrow at the office', async ({ page }) => {
    const { state } = await fakeInbox(page)
    await page.goto(dana)

    await followUp(page)

    await expect.poll(() => state.calls.at(-1)?.body).toMatchObject({ on: '2026-03-05' })
  })
})
