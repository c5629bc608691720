import { expect, pageTest as test } from '../test.ts'
import { fakeInbox } from './fake-inbox.ts'

test('the figures leave out unknown sources and requests that are not due, and have no charts without requests', async ({
  page,
}) => {
  const { state } = await fakeInbox(page)
  state.figures.sources = []
  const change = () => page.evaluate(() => window.dispatchEvent(new Event('fake-change')))
  const none = { leads: 0, due: 0, answered: 0, onTime: 0, medianMinutesToAnswer: null }
  await page.goto('/inbox/Q-5VN0-EXY7')

  await test.step('a lead from an unknown source has no "Source" entry, and if no source is known, the figures have no chart of sources', async () => {
    await expect(page.getByText('Asked', { exact: true })).toBeVisible()
    await expect(page.getByText('Source', { exact: true })).toHaveCount(0)
    await page.getByRole('link', { name: 'Figures' }).click()
    await expect(page.getByRole('heading', { name: 'Requests by plan' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Requests by source' })).toHaveCount(0)
  })

  await test.step('the share of kept promises counts only requests that are answered or due', async () => {
    const week = { leads: 9, due: 4, answered: 3, onTime: 3, medianMinutesToAnswer: 30 }
    state.figures.weeks = [
      { week: '2026-02-23', ...none },
      { week: '2026-03-02', ...week },
    ]
    await change()
    await expect(
      page.getByText('9 requests in 2 weeks. Of the 4 that were answered or are due, 75%'),
    ).toBeVisible()
    await expect(
      page.getByRole('listitem').filter({ hasText: 'Mar 2: 9 requests, 3 answered, 3 on time' }),
    ).toBeAttached()
  })

  await test.step('if there are no requests yet, the figures page says so and has no charts', async () => {
    state.leads = []
    state.figures.weeks = [{ week: '2026-03-02', ...none }]
    await change()
    await expect(page.getByText('No requests yet.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 2 })).toHaveCount(0)
  })
})
