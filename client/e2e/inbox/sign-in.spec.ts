import { CODE_WRONG } from '#shared/inbox/api.ts'
import { expect, forgetFailedRequests, pageTest as test } from '../test.ts'
import { fakeInbox } from './fake-inbox.ts'

test('a sign-in link signs the owner in, shows the code for the browser that requested it, or says that the code was used', async ({
  page,
  browserErrors,
}) => {
  const { state } = await fakeInbox(page)
  state.session = null
  // Loads the page, as a link in an email does. Otherwise, only the fragment could change.
  async function open(fragment: string) {
    await page.goto('about:blank')
    await page.goto(`/inbox/sign-in#${fragment}`)
  }
  async function expectUsed() {
    const used = CODE_WRONG
    await page.route('**/api/sign-in/code', (route) => route.fulfill({ status: 400, json: { detail: used } }))
    await open('code=K7MF29QX')
    await expect(page.getByText(used)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
    await expect(page.getByText('K7MF')).toHaveCount(0)
    await page.unroute('**/api/sign-in/code')
  }

  await test.step('if a sign-in link was requested in another browser, the page shows its code and removes it from the address bar', async () => {
    await open('code=ACDE2345')
    await expect(page.getByText('ACDE-2345')).toBeVisible()
    await expect(page.getByText('Enter this code in the browser where you requested it.')).toBeVisible()
    expect(page.url()).not.toContain('ACDE')
  })

  await test.step(
    'opening a sign-in link whose code has been used shows an error instead of the code',
    expectUsed,
  )

  await test.step('a sign-in link signs the owner in if it is opened in the browser that requested it', async () => {
    await open('code=K7MF29QX')
    await expect(page.getByText('Dana Whitfield')).toBeVisible()
    expect(new URL(page.url()).pathname).toBe('/inbox')
  })

  await test.step('if a signed-in owner opens a sign-in link, it signs the owner in again', async () => {
    const signedInAt = state.session?.signedInAt
    // Only the fragment changes.
    await page.goto('/inbox#code=K7MF29QX')
    await expect.poll(() => state.session?.signedInAt).not.toBe(signedInAt)
    await expect(page.getByText('Dana Whitfield')).toBeVisible()
    expect(page.url()).not.toContain('K7MF')
  })

  await test.step("if a signed-in owner opens another owner's sign-in link, that owner is signed in", async () => {
    state.linkOwner = 'ben@agency.example'
    // The page reloads, so that nothing of the first owner's stays in memory.
    const reloaded = page.waitForEvent('load')
    await page.goto('/inbox#link=secret')
    await expect.poll(() => state.session?.owner).toBe('ben@agency.example')
    await reloaded
    await expect(page.getByText('Dana Whitfield')).toBeVisible()
  })

  await test.step('if a signed-in owner opens a sign-in link that was requested in another browser, the page shows the code', async () => {
    await open('code=ACDE2345')
    await expect(page.getByText('ACDE-2345')).toBeVisible()
    await expect(page.getByText('Enter this code in the browser where you requested it.')).toBeVisible()
    await page.getByRole('button', { name: 'Continue in this browser' }).click()
    await expect(page.getByRole('link', { name: /Dana Whitfield/ })).toBeVisible()
  })

  await test.step(
    'if a signed-in owner opens a sign-in link whose code has been used, the page shows an error instead of the code',
    expectUsed,
  )
  forgetFailedRequests(browserErrors)
})
