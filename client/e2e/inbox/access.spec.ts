import { readFileSync } from 'node:fs'
import { expect, pageTest as test } from '../test.ts'
import { fakeInbox } from './fake-inbox.ts'
import { sampleNow } from './sample-time.ts'

test('removing a passkey and signing a device out ask for confirmation first', async ({ page }) => {
  const { state } = await fakeInbox(page)
  const calls = () => state.calls.map(({ call }) => call)
  await page.goto('/inbox/access')

  for (const [button, yes, call] of [
    ['Remove Anna’s phone', 'Remove', 'DELETE /access/passkeys/key'],
    ['Sign out Safari on iPhone', 'Sign out', 'DELETE /access/sessions/two'],
  ] as const)
    await test.step(`"${button}" asks for confirmation first`, async () => {
      state.calls.length = 0
      await page.getByRole('button', { name: button }).click()
      const sheet = page.getByRole('dialog', { name: `${button}?` })
      await sheet.getByRole('button', { name: 'Close' }).click()
      expect(calls()).toEqual([])

      await page.getByRole('button', { name: button }).click()
      await sheet.getByRole('button', { name: yes, exact: true }).click()
      await expect(sheet).toHaveCount(0)
      await expect.poll(calls).toEqual([call])
    })
})

test('if the inbox is opened at an IP address, the Access page says that passkeys need a domain name', async ({
  page,
  sharedSite,
}) => {
  const { state } = await fakeInbox(page)
  if (state.session) state.session.canUsePasskeys = false

  await page.goto(`${sharedSite.program.url.replace('localhost', '127.0.0.1')}/inbox/access`)

  await expect(page.getByText('Passkeys need a domain name such as inbox.example.com')).toBeVisible()
})

test('if the server refuses a download, the page says why, and the next download is saved', async ({
  page,
  browserErrors,
}) => {
  await fakeInbox(page)
  const busy = 'Another export is running. Please try again when it has finished.'
  await page.route('**/api/export?format=xlsx', (route) =>
    route.fulfill({ status: 503, json: { detail: busy } }),
  )
  await page.goto('/inbox/access')

  await page.getByRole('button', { name: 'For a spreadsheet' }).click()
  await expect(page.getByText(busy)).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/inbox/access')

  await page.route('**/api/export?format=xlsx', (route) =>
    route.fulfill({
      headers: { 'Content-Disposition': 'attachment; filename="leads-2026-03-04.xlsx"' },
      body: 'reference',
    }),
  )
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'For a spreadsheet' }).click()
  expect((await download).suggestedFilename()).toBe('leads-2026-03-04.xlsx')
  expect(readFileSync(await (await download).path(), 'utf8')).toBe('reference')
  await expect(page.getByText(busy)).toHaveCount(0)
  browserErrors.length = 0
})

test('a device is "in use", or was used roughly as long ago as the server knows', async ({ page }) => {
  const { state } = await fakeInbox(page)
  const phone = state.access.sessions[1]
  for (const [isInUse, minutes, words] of [
    [true, 45, 'in use'],
    [false, 45, 'used in the last hour'],
    [false, 61, 'last used about 1 h ago'],
  ] as const) {
    const seenAt = new Date(sampleNow() - minutes * 60_000).toISOString()
    Object.assign(phone ?? {}, { isInUse, seenAt })
    await page.goto('/inbox/access')
    await expect(page.getByText(`ben@agency.example, ${words}`, { exact: true })).toBeVisible()
  }
})
