import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { leadViews } from '#shared/inbox/lead.ts'
import { expect, pageTest as test } from '../test.ts'
import { fakeInbox, waitForApplication } from './fake-inbox.ts'
import { sampleLead, sampleLeads } from './sample-leads.ts'
import { sampleNow } from './sample-time.ts'
import { erase, openState } from './states.ts'

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

const inMenu = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name, exact: true }).click()
}
const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click()
const followUp = async (page: Page) => {
  await inMenu('Follow up on…')(page)
  await page.getByRole('button', { name: /Tomorrow/ }).click()
}

// An open lead with a failed answer, a suspect, and an answered, a won and a spam lead.
const everyChange: Record<string, ((page: Page) => Promise<void>)[]> = {
  'Q-9HHC-20TB': [
    inMenu('I answered elsewhere'),
    inMenu('Won: the job is ours'),
    inMenu('Lost'),
    inMenu('Spam'),
    followUp,
  ],
  'Q-8FGZ-T5RE': [press('Not spam'), press('Spam'), inMenu('I answered elsewhere'), followUp],
  'Q-6S4Q-M1JA': [inMenu('Open again'), inMenu('End the follow-up'), inMenu('Spam'), followUp],
  'Q-3XKB-C6ND': [inMenu('Open again'), inMenu('Lost'), inMenu('Spam')],
  'Q-0PWL-7HJS': [inMenu('Not spam: open again')],
}

for (const [reference, changes] of Object.entries(everyChange))
  test(`every change of ${reference} can be undone from its notice`, async ({ page }) => {
    const { state } = await fakeInbox(page)
    const found = () => state.leads.find((lead) => lead.reference === reference)
    await page.goto(`/inbox/${reference}?view=all`)
    await expect(page.getByRole('button', { name: 'Done' })).toBeVisible()

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

test('if the server cannot be reached, an undo is offered again', async ({ page, browserErrors }) => {
  const { state } = await fakeInbox(page)
  await page.goto(dana)
  await inMenu('Won: the job is ours')(page)
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
  state.refuse = { status: 503, body: { detail: 'Please try again.' } }
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Please try again.')).toBeVisible()
  state.refuse = undefined

  await page.getByRole('button', { name: 'Undo' }).click()

  await expect(page.getByText('Undone.')).toBeVisible()
  browserErrors.length = 0
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
  await expect(page.getByRole('button', { name: 'Done' })).toBeVisible()
  Object.assign(state.leads.find(({ firstName }) => firstName === 'Dana') ?? {}, {
    state: 'lost',
    version: 7,
  })
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Won: the job is ours' }).click()

  await expect(page.getByText('Ben was faster: it is lost.')).toBeVisible()
  await expect(page.locator('main article [data-state=lost]')).toBeVisible()
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
  await expect(page.getByText('Enter this code in the browser where you requested it.')).toBeVisible()
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

test('"Not spam" in the menu opens the lead, and the owner can send the withheld receipt', async ({
  page,
}) => {
  const { state } = await fakeInbox(page)
  await page.goto('/inbox/Q-0PWL-7HJS?view=spam')

  await inMenu('Not spam: open again')(page)

  await expect(page.getByRole('button', { name: 'Send the receipt' })).toBeVisible()
  expect(state.calls.at(-1)).toMatchObject({ body: { verdict: 'honest' } })
  await page.getByRole('link', { name: /^Open/ }).click()
  await expect(page.getByRole('link', { name: /Vera Lang/ })).toBeVisible()
})

for (const [mail, sent] of [
  [{ state: 'failed', since: null, failed: 3 }, 'Sending 3 emails again.'],
  [{ state: 'waiting', since: null, failed: 0 }, 'Sending one email again.'],
] as const)
  test(`when email is ${mail.state}, the owner can send it again and is told what happened`, async ({
    page,
  }) => {
    const { state } = await fakeInbox(page)
    state.mail = mail
    await page.goto('/inbox')

    await page.getByRole('button', { name: 'Send again' }).click()

    await expect(page.getByText(sent)).toBeVisible()
    expect(state.calls.map(({ call }) => call)).toContain('POST /mail/resend')
    await expect(page.getByRole('button', { name: 'Send again' })).toHaveCount(0)
  })

for (const mail of ['held', 'files'] as const)
  test(`without a mail server (${mail}), nothing can be sent again`, async ({ page }) => {
    const { state } = await fakeInbox(page)
    state.mail = { state: mail, since: null, failed: 2 }
    await page.goto('/inbox')
    await waitForApplication(page)

    await expect(
      page.getByText(mail === 'held' ? 'Email is on hold.' : 'No mail server is set up.'),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: 'Send again' })).toHaveCount(0)
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

test('after a partial erasure, a sheet stays open that names what could not be erased', async ({ page }) => {
  const { arrive, state } = await fakeInbox(page)
  state.remains = { unusable: ['backups/leads-1.db'], newer: ['Q-4RTD-81MW'] }
  await page.goto(dana)
  await erase(page)

  const sheet = page.getByRole('dialog', { name: 'Not everything was erased' })
  await expect(sheet).toContainText('backups/leads-1.db')
  await expect(sheet).toContainText('Delete it, or restore access to it and erase again.')
  await expect(page.getByText('has been erased')).toHaveCount(0)
  await arrive(
    sampleLead(0, { reference: 'Q-NEW1-LEAD', firstName: 'Nora', lastName: 'New', message: 'Hello!' }),
  )
  await expect(page.getByText('Nora New')).toBeAttached()
  await expect(sheet).toBeVisible()
  await sheet.getByRole('link', { name: 'Q-4RTD-81MW' }).click()
  await expect(page.getByRole('heading', { name: 'Marcus Oyelaran' })).toBeVisible()
  await expect(sheet).toHaveCount(0)
})

for (const [button, yes, call] of [
  ['Remove Anna’s phone', 'Remove', 'DELETE /access/passkeys/key'],
  ['Sign out Safari on iPhone', 'Sign out', 'DELETE /access/sessions/two'],
] as const)
  test(`"${button}" asks first`, async ({ page }) => {
    const { state } = await fakeInbox(page)
    const calls = () => state.calls.map((one) => one.call)
    await page.goto('/inbox/access')
    await page.getByRole('button', { name: button }).click()
    const sheet = page.getByRole('dialog', { name: `${button}?` })
    await sheet.getByRole('button', { name: 'Close' }).click()
    expect(calls()).toEqual([])

    await page.getByRole('button', { name: button }).click()
    await sheet.getByRole('button', { name: yes, exact: true }).click()

    await expect(sheet).toHaveCount(0)
    await expect.poll(calls).toEqual([call])
  })

test('at an IP address, the page says that passkeys need a name', async ({ page, site }) => {
  const { state } = await fakeInbox(page)
  if (state.session) state.session.canUsePasskeys = false

  await page.goto(`${site.program.url.replace('localhost', '127.0.0.1')}/inbox/access`)

  await expect(page.getByText('Passkeys need a name such as inbox.example.com')).toBeVisible()
})

test('a download that the server refuses says why, and the next one is saved', async ({
  page,
  browserErrors,
}) => {
  await fakeInbox(page)
  const busy = 'Another export is running. Please try again when it has finished.'
  await page.route('**/api/export?format=csv', (route) =>
    route.fulfill({ status: 503, json: { detail: busy } }),
  )
  await page.goto('/inbox/access')

  await page.getByRole('button', { name: 'Download CSV' }).click()
  await expect(page.getByText(busy)).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/inbox/access')

  await page.route('**/api/export?format=csv', (route) =>
    route.fulfill({
      headers: { 'Content-Disposition': 'attachment; filename="leads-2026-03-04.csv"' },
      body: 'reference',
    }),
  )
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  expect((await download).suggestedFilename()).toBe('leads-2026-03-04.csv')
  expect(readFileSync(await (await download).path(), 'utf8')).toBe('reference')
  await expect(page.getByText(busy)).toHaveCount(0)
  browserErrors.length = 0
})

test('a lead without a known source says nothing about it, and the figures hide their chart', async ({
  page,
}) => {
  const { state } = await fakeInbox(page)
  state.figures.sources = []
  await page.goto('/inbox/Q-5VN0-EXY7')
  await expect(page.getByText('Asked', { exact: true })).toBeVisible()
  await expect(page.getByText('Found us by')).toHaveCount(0)

  await page.goto('/inbox/figures')

  await expect(page.getByRole('heading', { name: 'Requests by plan' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Requests by source' })).toHaveCount(0)
})

test('the share of kept promises is that of the requests which are answered or due', async ({ page }) => {
  const { state } = await fakeInbox(page)
  const week = { leads: 9, due: 4, answered: 3, onTime: 3, medianMinutesToAnswer: 30 }
  const none = { leads: 0, due: 0, answered: 0, onTime: 0, medianMinutesToAnswer: null }
  state.figures.weeks = [
    { week: '2026-02-23', ...none },
    { week: '2026-03-02', ...week },
  ]

  await page.goto('/inbox/figures')

  await expect(
    page.getByText('9 requests in 2 weeks. Of the 4 that were answered or are due, 75%'),
  ).toBeVisible()
})

test('without any request, the figures say so', async ({ page }) => {
  await openState(page, 'no-figures')

  await expect(page.getByText('No requests yet.')).toBeVisible()
  await expect(page.getByText('As a table')).toHaveCount(0)
})

test('counts that reach the limit of the server show as "999+"', async ({ page }) => {
  await fakeInbox(page)
  await page.route('**/api/summary', (route) =>
    route.fulfill({
      json: {
        counts: Object.fromEntries(leadViews.map((view) => [view, view === 'suspects' ? 999 : 1000])),
        waiting: 1000,
        late: 1000,
        medianMinutesToAnswer: null,
        mail: { state: 'ok', since: null, failed: 0 },
      },
    }),
  )

  await page.goto('/inbox')

  await expect(page).toHaveTitle(/^\(999\+\) Inbox/)
  await expect(page.getByRole('definition').filter({ hasText: '999+' })).toHaveCount(2)
  await expect(page.getByRole('link', { name: 'Open 999+' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Suspects 999', exact: true })).toBeVisible()
})

test.describe('in a time zone where tomorrow has begun', () => {
  test.use({ timezoneId: 'Pacific/Auckland' })

  test('"Tomorrow" is the day after today at the office', async ({ page }) => {
    const { state } = await fakeInbox(page)
    await page.goto(dana)

    await followUp(page)

    await expect.poll(() => state.calls.at(-1)?.body).toMatchObject({ on: '2026-03-05' })
  })
})

test('a search says how many requests it found', async ({ page }) => {
  await fakeInbox(page)
  await page.goto('/inbox')
  const status = page.getByRole('status')

  await page.getByLabel('Search all requests').fill('0187')
  await expect(status.filter({ hasText: 'One request found.' })).toBeAttached()
  await page.getByLabel('Search all requests').fill('614')
  await expect(status.filter({ hasText: '3 requests found.' })).toBeAttached()
  await page.getByLabel('Search all requests').fill('')
  await expect(status.filter({ hasText: 'found.' })).toHaveCount(0)
})

test('on a phone, a new request is announced while another one is open', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 780 })
  const { arrive } = await fakeInbox(page)
  await page.goto(dana)
  // The list is hidden, but it must have loaded: what it shows first isn't new.
  await expect(page.locator('[data-row]')).not.toHaveCount(0)

  await arrive(
    sampleLead(0, {
      reference: 'Q-NEW1-LEAD',
      firstName: 'Nora',
      lastName: 'New',
      message: 'Hello!',
      isUnread: true,
    }),
  )

  await expect(page.getByRole('status').filter({ hasText: 'New request from Nora New' })).toBeAttached()
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

  // The rows get their height when they come into view, so the end of the list moves away a little.
  const scroll = async () => {
    await page.mouse.wheel(0, 20_000)
    return page.locator('[data-row]').count()
  }
  await expect.poll(scroll).toBeGreaterThan(100)
})

for (const mail of ['ok', 'failed'] as const)
  test(`the list shows before the application loads, and does not move when it does, when email is ${mail}`, async ({
    page,
  }) => {
    const { state } = await fakeInbox(page)
    state.mail = { state: mail, since: null, failed: 0 }
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
