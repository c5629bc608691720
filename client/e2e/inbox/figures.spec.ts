import { expect, heading, test } from './test.ts'

test('the figures say how many promises were kept, and charts show plans and sources', async ({ page }) => {
  await page.goto('/inbox/figures')

  await expect(
    page.getByText(
      '7 requests in 12 weeks. Of the 3 that were answered or are due, 33% were answered on time.',
    ),
  ).toBeVisible()
  await expect(
    page.getByRole('listitem').filter({ hasText: 'Mar 2: 6 requests, 1 answered, 1 on time' }),
  ).toBeAttached()
  await expect(heading(page, 'Requests by plan')).toBeVisible()
  await expect(heading(page, 'Requests by source')).toBeVisible()
})

test.describe('with an empty database', () => {
  test.use({ hasLeads: false })

  test('without requests, the figures have no charts, and without known sources, no chart of sources', async ({
    page,
    site,
  }) => {
    await page.goto('/inbox/figures')
    await expect(page.getByText('No requests yet.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 2 })).toHaveCount(0)

    await site.arrive('Nora', 'New', {}, {})
    await expect(heading(page, 'Requests by plan')).toBeVisible()
    await expect(heading(page, 'Requests by source')).toHaveCount(0)
    await page.goto(await site.path('Nora'))
    await expect(page.getByText('Asked', { exact: true })).toBeVisible()
    await expect(page.getByText('Source', { exact: true })).toHaveCount(0)
  })
})
