import type { Page } from '@playwright/test'
import { IN_USE } from '#shared/inbox/in-use.ts'
import { expect, pageTest as test } from '../test.ts'
import { fakeInbox, waitForApplication } from './fake-inbox.ts'
import { newLead } from './new-lead.ts'

const dana = '/inbox/Q-7K3M-9QXD'

const endedDialog = (page: Page) => page.getByRole('dialog', { name: 'Please sign in again' })

/** Opens a lead, ends the session, and waits for the dialog that asks the owner to sign in again. */
async function endSession(page: Page) {
  const { state } = await fakeInbox(page)
  await page.goto(dana)
  await expect(page.getByRole('button', { name: 'Reply' })).toBeVisible()
  state.session = null
  await page.clock.runFor(31_000)
  await expect(endedDialog(page)).toBeVisible()
}

const isModal = (page: Page) => endedDialog(page).evaluate((dialog) => dialog.matches(':modal'))

test('Escape does not close the dialog that appears when the session has ended', async ({
  page,
  browserErrors,
}) => {
  await endSession(page)
  await endedDialog(page).evaluate((dialog) =>
    dialog.addEventListener('close', () => dialog.setAttribute('data-closed', '')),
  )

  for (let times = 0; times < 10; times++) await page.keyboard.press('Escape')

  await expect(endedDialog(page)).not.toHaveAttribute('data-closed')
  expect(await isModal(page)).toBe(true)
  browserErrors.length = 0
})

test('if the browser lets Escape close the dialog about the ended session, the dialog reopens with the typed text', async ({
  page,
  browserErrors,
}) => {
  await endSession(page)
  await page.getByLabel('Your email address').fill('anna@agency.example')
  await endedDialog(page).evaluate((dialog) => dialog.removeAttribute('closedby'))

  for (let times = 0; times < 10; times++) await page.keyboard.press('Escape')

  await expect.poll(() => isModal(page)).toBe(true)
  await expect(page.getByLabel('Your email address')).toHaveValue('anna@agency.example')
  browserErrors.length = 0
})

test('if another owner signs in, the page switches to that owner and no longer shows an unsaved draft', async ({
  page,
  browserErrors,
}) => {
  const { state } = await fakeInbox(page)
  const { session } = state
  await page.goto(dana)
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByLabel('Your answer').fill('Only Anna may read this.')
  await page.route('**/draft', (route) => route.fulfill({ status: 401, json: { detail: 'Please sign in.' } }))
  state.session = null
  await page.clock.runFor(31_000)
  await expect(endedDialog(page)).toBeVisible()

  if (session) state.session = { ...session, owner: 'ben@agency.example' }
  for (let seconds = 0; seconds < 45; seconds += 5) {
    await page.clock.runFor(5_000)
    await page.evaluate(() => fetch('/api/summary'))
  }

  await expect(endedDialog(page)).toBeHidden()
  await expect(page.getByRole('link', { name: /Dana Whitfield/ })).toBeVisible()
  expect(
    await page
      .getByLabel('Your answer')
      .evaluateAll((boxes) => boxes.map((box) => (box as HTMLTextAreaElement).value)),
  ).toEqual([])
  browserErrors.length = 0
})

test("every request tells the server that the inbox is in use, until a minute after the owner's last action", async ({
  page,
}) => {
  const requests: (string | undefined)[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/'))
      requests.push(request.headers()[IN_USE.toLowerCase()])
  })
  const inbox = await fakeInbox(page)
  await page.goto(dana)
  await expect(page.getByRole('link', { name: /Dana Whitfield/ })).toBeVisible()
  await expect.poll(() => requests.length).toBeGreaterThan(3)
  expect(new Set(requests)).toEqual(new Set(['1']))

  await page.clock.runFor(91_000)
  // Requests are reported in order, so those from the first minute have all been reported after this.
  await expect.poll(() => requests.at(-1)).toBeUndefined()
  requests.length = 0
  await page.clock.runFor(61_000)
  await inbox.arrive(newLead())
  await expect(page.getByRole('link', { name: /Nora New/ })).toBeVisible()
  expect(requests.length).toBeGreaterThan(3)
  expect(new Set(requests)).toEqual(new Set([undefined]))

  requests.length = 0
  await page.keyboard.press('Shift')
  await page.clock.runFor(31_000)
  await expect.poll(() => new Set(requests)).toEqual(new Set(['1']))
})

test('opening a sign-in link whose code has been used shows an error instead of the code', async ({
  page,
  browserErrors,
}) => {
  const { state } = await fakeInbox(page)
  const used = 'This code was already used. Ask for a new one.'
  await page.route('**/api/sign-in/code', (route) => route.fulfill({ status: 400, json: { detail: used } }))
  for (const session of [state.session, null]) {
    state.session = session

    await page.goto('about:blank')
    await page.goto('/inbox/sign-in#code=K7MF29QX')

    await expect(page.getByText(used)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
    await expect(page.getByText('K7MF')).toHaveCount(0)
  }
  browserErrors.length = 0
})

/** Simulates a browser that offers a passkey in the email field. While it does, `window.choosePasskey` chooses it. */
function offerPasskey() {
  const bytes = () => new ArrayBuffer(8)
  const response = { authenticatorData: bytes(), clientDataJSON: bytes(), signature: bytes() }
  const credential = {
    id: 'key',
    rawId: bytes(),
    type: 'public-key',
    response,
    getClientExtensionResults: () => ({}),
  }
  PublicKeyCredential.isConditionalMediationAvailable = async () => true
  navigator.credentials.get = () =>
    new Promise((choose) => {
      window.choosePasskey = () => {
        window.choosePasskey = undefined
        choose(credential as unknown as Credential)
      }
    })
}

declare global {
  interface Window {
    choosePasskey: (() => void) | undefined
  }
}

test('if an owner chooses a passkey too late, an error message appears, and the owner can choose it again', async ({
  page,
  browserErrors,
}) => {
  const { state } = await fakeInbox(page)
  const { session } = state
  state.session = null
  await page.addInitScript(offerPasskey)
  let challenges = 0
  await page.route('**/api/sign-in/passkey/options', (route) =>
    route.fulfill({ json: { challenge: `challenge${++challenges}`, userVerification: 'required' } }),
  )
  const tooLate = 'That took more than 5 minutes. Please try again.'
  const choose = async () => {
    await page.waitForFunction(() => window.choosePasskey !== undefined)
    await page.evaluate(() => window.choosePasskey?.())
  }
  await page.route('**/api/sign-in/passkey', (route) =>
    route.fulfill({ status: 400, json: { detail: tooLate } }),
  )
  await page.goto('/inbox')
  await expect.poll(() => challenges).toBe(1)
  await choose()
  await expect(page.getByText(tooLate)).toBeVisible()
  await expect.poll(() => challenges).toBe(2)
  state.session = session
  await page.route('**/api/sign-in/passkey', (route) => route.fulfill({ json: session }))

  await choose()

  await waitForApplication(page)
  await expect(page.getByRole('link', { name: /Dana Whitfield/ })).toBeVisible()
  browserErrors.length = 0
})
