import { readFileSync } from 'node:fs'
import { ben, expect, press, test, waitForApplication } from './test.ts'

test('removing a passkey and signing a device out ask for confirmation first', async ({ page, site }) => {
  const passkeys = () => site.db.selectFrom('passkeys').select('id').execute()
  const bens = () => site.db.selectFrom('sessions').select('id').where('owner', '=', ben).execute()
  await page.goto('/inbox/access')

  for (const [button, yes, rows] of [
    ['Remove Anna’s phone', 'Remove', passkeys],
    ['Sign out Safari on iPhone', 'Sign out', bens],
  ] as const)
    await test.step(button, async () => {
      const sheet = page.getByRole('dialog', { name: `${button}?` })
      await press(page, button)
      await sheet.getByRole('button', { name: 'Close' }).click()
      expect(await rows()).toHaveLength(1)

      await press(page, button)
      await sheet.getByRole('button', { name: yes, exact: true }).click()
      await expect(sheet).toHaveCount(0)
      expect(await rows()).toHaveLength(0)
    })
})

test('a device is in use as long as its inbox is open, or was used roughly as long ago as the server knows', async ({
  page,
  site,
  browser,
}) => {
  const bens = await browser.newPage({ baseURL: site.url })
  await site.signIn(bens.context(), { owner: ben, minutesAgo: 45 })
  await bens.goto('/inbox')
  await waitForApplication(bens)
  await page.goto('/inbox/access')

  await expect(page.getByText(`${ben}, in use`, { exact: true })).toBeVisible()
  await expect(page.getByText(`${ben}, last used about 2 h ago`, { exact: true })).toBeVisible()
  await bens.context().close()
  await page.reload()
  await expect(page.getByText(`${ben}, used in the last hour`, { exact: true })).toBeVisible()
})

test('if the inbox is at an IP address, the Access page says that passkeys need a domain name', async ({
  page,
  context,
  site,
}) => {
  const address = site.url.replace('localhost', '127.0.0.1')
  const [cookie] = await context.cookies()
  await context.addCookies([
    { ...cookie, name: 'inbox-session', value: cookie?.value ?? '', domain: '127.0.0.1' },
  ])
  await site.restart({ SITE_URL: address })

  await page.goto(`${address}/inbox/access`)

  await expect(page.getByText('Passkeys need a domain name such as inbox.example.com')).toBeVisible()
})

test('if the server refuses a download, the page says why, and the next download is saved', async ({
  page,
}) => {
  const detail = 'The database cannot be read.'
  await page.route('**/api/export*', (route) => route.fulfill({ status: 503, json: { detail } }), {
    times: 1,
  })
  await page.goto('/inbox/access')

  await press(page, 'For a spreadsheet')
  await expect(page.getByText(detail)).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/inbox/access')
  const download = page.waitForEvent('download')
  await press(page, 'For a spreadsheet')

  expect((await download).suggestedFilename()).toBe('leads-2026-03-04.xlsx')
  expect(
    readFileSync(await (await download).path())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK')
  await expect(page.getByText(detail)).toHaveCount(0)
})
