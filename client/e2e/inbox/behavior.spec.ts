import { expect, pageTest as test } from '../test.ts'
import { fakeInbox, waitForApplication } from './fake-inbox.ts'
import { sampleLead, sampleLeads } from './sample-leads.ts'
import { sampleNow } from './sample-time.ts'

const dana = '/inbox/Q-7K3M-9QXD'

test('a new request appears without a reload, also in the title', async ({ page }) => {
  const inbox = await fakeInbox(page, [])
  await page.goto('/inbox')
  await expect(page.getByText('Nobody is waiting.')).toBeVisible()

  await inbox.arrive(
    sampleLead(0, {
      reference: 'Q-NEW1-LEAD',
      firstName: 'Nora',
      lastName: 'New',
      message: 'Hello!',
      isUnread: true,
    }),
  )

  await expect(page.getByRole('link', { name: /Nora New/ })).toBeVisible({ timeout: 1000 })
  await expect(page).toHaveTitle(/^\(1\) Inbox/)
  await expect(page.getByText('New request from Nora New')).toBeAttached()
})

test('every change can be undone from its notice', async ({ page }) => {
  const { state } = await fakeInbox(page)
  await page.goto(dana)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Won: the job is ours' }).click()
  await expect(page.getByText('Dana Whitfield: marked as won.')).toBeVisible()

  await page.getByRole('button', { name: 'Undo' }).click()

  await expect(page.getByText('Undone.')).toBeVisible()
  expect(state.leads.find(({ reference }) => reference === 'Q-7K3M-9QXD')?.state).toBe('open')
})

test('a change that the server rejects is rolled back, and a notice says why', async ({
  page,
  browserErrors,
}) => {
  const { state } = await fakeInbox(page)
  state.refuse = {
    status: 409,
    body: { detail: 'Ben was faster: it is lost.', current: { state: 'lost', version: 7 } },
  }
  await page.goto(dana)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Won: the job is ours' }).click()

  await expect(page.getByText('Ben was faster: it is lost.')).toBeVisible()
  await expect(page.locator('main article')).toContainText('Lost')
  browserErrors.length = 0
})

test('when the session ends, typed text is kept', async ({ page, browserErrors }) => {
  const { state } = await fakeInbox(page)
  await page.goto(dana)
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByLabel('Your answer').fill('Half an answer')
  state.session = null
  await expect(page.getByRole('heading', { name: 'Please sign in again' })).toBeVisible()

  await page.getByLabel('Your email address').fill('anna@plumbline.example')
  await page.getByRole('button', { name: 'Email me a code' }).click()
  await page.getByLabel('Code').fill('K7MF-29QX')

  await expect(page.getByRole('heading', { name: 'Please sign in again' })).toBeHidden()
  await expect(page.getByLabel('Your answer')).toHaveValue('Half an answer')
  browserErrors.length = 0
})

test('a code is removed from the address bar at once, and shown in a browser where it cannot sign in', async ({
  page,
  browserErrors,
}) => {
  const { state } = await fakeInbox(page)
  state.session = null

  await page.goto('/inbox/sign-in#code=ACDE2345')

  await expect(page.getByText('ACDE-2345')).toBeVisible()
  await expect(page.getByText('Type it where you asked for it.')).toBeVisible()
  expect(page.url()).not.toContain('ACDE')
  browserErrors.length = 0
})

test('a link signs in with the browser that asked for it', async ({ page, browserErrors }) => {
  const { state } = await fakeInbox(page)
  state.session = null

  await page.goto('/inbox/sign-in#code=K7MF29QX')

  await expect(page.getByText('Dana Whitfield')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/inbox')
  browserErrors.length = 0
})

test('shortcuts move through the list, open leads and search, but never while typing', async ({ page }) => {
  await fakeInbox(page)
  await page.goto('/inbox')
  await waitForApplication(page)

  // Third in the list.
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(dana)
  await expect(page.getByRole('button', { name: 'Reply' })).toBeVisible()
  await page.keyboard.press('r')
  await expect(page.getByLabel('Your answer')).toBeFocused()
  await page.keyboard.type('jku/?')
  await expect(page.getByLabel('Your answer')).toHaveValue(/jku\/\?/)
  await page.keyboard.press('Escape')
  await page.keyboard.press('u')
  await expect(page).toHaveURL('/inbox')
  await page.keyboard.press('/')
  await expect(page.getByLabel('Search all requests')).toBeFocused()
})

test('shortcuts can be turned off', async ({ page }) => {
  await fakeInbox(page)
  await page.goto('/inbox')
  await waitForApplication(page)
  await page.keyboard.press('?')
  await page.getByLabel('Shortcuts are on').uncheck()
  await page.getByRole('button', { name: 'Close' }).click()

  await page.keyboard.press('?')
  await page.keyboard.press('/')

  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByLabel('Search all requests')).not.toBeFocused()
})

test('after "Not spam", the owner can send the withheld receipt', async ({ page }) => {
  const { state } = await fakeInbox(page)
  await page.goto('/inbox/Q-8FGZ-T5RE')

  const notSpam = page.getByRole('button', { name: 'Not spam' })
  await expect(notSpam).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send the receipt' })).toHaveCount(0)
  await notSpam.click()
  await page.getByRole('button', { name: 'Send the receipt' }).click()

  await expect(page.getByText('The receipt goes to robert@example.com.')).toBeVisible()
  expect(state.calls.map(({ call }) => call)).toContain('POST /leads/Q-8FGZ-T5RE/receipt')
  await expect(page.getByRole('button', { name: 'Send the receipt' })).toHaveCount(0)
})

test('a reference typed with look-alikes leads to the request', async ({ page }) => {
  const [, lead] = sampleLeads()
  await fakeInbox(page)
  await page.route('**/api/leads/q4RTD8IMW', (route) => route.fulfill({ json: lead }))

  await page.goto('/inbox/q4RTD8IMW?view=all')

  await expect(page).toHaveURL('/inbox/Q-4RTD-81MW?view=all')
  await expect(page.getByRole('heading', { name: 'Marcus Oyelaran' })).toBeVisible()
})

test("to erase a person, the owner types the person's address", async ({ page }) => {
  const { state } = await fakeInbox(page)
  await page.goto(dana)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Erase this person…' }).click()
  await page.getByLabel('Type the person’s address').fill('someone@example.com')
  await page.getByRole('button', { name: 'Erase for good' }).click()
  await expect(page.getByText('type dana@example.com')).toBeVisible()

  await page.getByLabel('Type the person’s address').fill('Dana@Example.com')
  await page.getByRole('button', { name: 'Erase for good' }).click()

  await expect(page.getByText('Dana Whitfield has been erased.')).toBeVisible()
  expect(state.leads.map(({ firstName }) => firstName)).not.toContain('Dana')
})

test('to erase a person, an owner with an old sign-in signs in again first', async ({
  page,
  browserErrors,
}) => {
  const { state } = await fakeInbox(page)
  if (state.session) state.session.signedInAt = new Date(sampleNow() - 3_600_000).toISOString()
  await page.goto(dana)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Erase this person…' }).click()
  await page.getByLabel('Type the person’s address').fill('dana@example.com')
  await page.getByRole('button', { name: 'Erase for good' }).click()
  await page.getByRole('button', { name: 'Email me a code' }).click()
  await page.getByLabel('Code').fill('K7MF29QX')

  await expect(page.getByText('Dana Whitfield has been erased.')).toBeVisible()
  browserErrors.length = 0
})

test('no personal data is stored in the browser, and no URL contains a search', async ({ page, context }) => {
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  await fakeInbox(page)
  await page.goto('/inbox')
  await page.getByLabel('Search all requests').fill('Whitfield')
  await page.getByRole('link', { name: /Dana Whitfield/ }).click()
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByLabel('Your answer').fill('A secret offer')

  const kept = await page.evaluate(async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: await indexedDB.databases(),
    caches: await caches.keys(),
  }))
  expect(kept).toEqual({ local: {}, session: {}, databases: [], caches: [] })
  expect(await context.cookies()).toEqual([])
  expect([page.url(), ...addresses].filter((address) => address.includes('Whitfield'))).toEqual([])
})

test('without a connection to the server, the page says that it may be out of date', async ({
  page,
  context,
  browserErrors,
}) => {
  await fakeInbox(page)
  await page.goto('/inbox')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()

  await context.setOffline(true)

  await expect(page.getByText('Offline: this page may be out of date')).toBeVisible({ timeout: 1000 })
  browserErrors.length = 0
})

test('a long list loads page by page while the owner scrolls', async ({ page }) => {
  const [, lead] = sampleLeads()
  const many = Array.from({ length: 300 }, (_, index) =>
    Object.assign({}, lead, {
      reference: `Q-${String(index).padStart(4, '0')}-MANY`,
      name: `Person ${index}`,
    }),
  )
  await fakeInbox(page, many)
  await page.goto('/inbox')
  await waitForApplication(page)

  await page.mouse.move(200, 500)
  await page.mouse.wheel(0, 20_000)

  await expect.poll(() => page.locator('[data-row]').count()).toBeGreaterThan(100)
})

test('the list shows before the application loads, and does not move when it does', async ({ page }) => {
  await fakeInbox(page)
  let release = () => {}
  const gate = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/assets/inbox-*.js', async (route) => {
    await gate
    await route.continue()
  })
  await page.setViewportSize({ width: 390, height: 780 })
  await page.goto('/inbox', { waitUntil: 'commit' })
  const name = page.getByText('Dana Whitfield')
  await expect(name).toBeVisible()
  const before = await name.boundingBox()
  release()
  await waitForApplication(page)

  const after = await name.boundingBox()
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(8)
})
