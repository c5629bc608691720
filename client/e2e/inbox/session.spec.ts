import type { Page } from '@playwright/test'
import { IN_USE } from '#shared/inbox/in-use.ts'
import { expect, pageTest as test } from '../test.ts'
import { fakeInbox } from './fake-inbox.ts'
import { newLead } from './new-lead.ts'
import { sampleNow } from './sample-time.ts'

const dana = '/inbox/Q-7K3M-9QXD'

const endedDialog = (page: Page) => page.getByRole('dialog', { name: 'Please sign in again' })

const isModal = (page: Page) => endedDialog(page).evaluate((dialog) => dialog.matches(':modal'))
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const answerBox = (page: Page) => page.getByLabel('Your answer')

async function signInAgain(page: Page) {
  await page.getByLabel('Your email address').fill('anna@agency.example')
  await press(page, 'Email me a code')
  await page.getByLabel('Code').fill('K7MF-29QX')
  await expect(endedDialog(page)).toBeHidden()
}

/** Notes the drafts that the page sends from now on. Playwright can't see those that it sends while it is closed. */
function noteDrafts() {
  const { fetch } = window
  window.fetch = (address, init) => {
    if (String(address).endsWith('/draft')) sessionStorage.setItem('drafts', String(init?.body))
    return fetch(address, init)
  }
}

test('when the session ends, a dialog asks the owner to sign in again, and only the same owner finds the typed text again', async ({
  page,
  browserErrors,
}) => {
  const { state } = await fakeInbox(page)
  const { session } = state
  await page.goto(dana)
  await expect(page.getByRole('button', { name: 'Reply' })).toBeVisible()

  await test.step('Escape does not close the dialog that appears when the session has ended', async () => {
    state.session = null
    await page.clock.runFor(31_000)
    await expect(endedDialog(page)).toBeVisible()
    await endedDialog(page).evaluate((dialog) =>
      dialog.addEventListener('close', () => dialog.setAttribute('data-closed', '')),
    )
    for (let times = 0; times < 10; times++) await page.keyboard.press('Escape')
    await expect(endedDialog(page)).not.toHaveAttribute('data-closed')
    expect(await isModal(page)).toBe(true)
  })

  await test.step('if the browser lets Escape close the dialog about the ended session, the dialog reopens with the typed text', async () => {
    await page.getByLabel('Your email address').fill('anna@agency.example')
    await endedDialog(page).evaluate((dialog) => dialog.removeAttribute('closedby'))
    for (let times = 0; times < 10; times++) await page.keyboard.press('Escape')
    await expect.poll(() => isModal(page)).toBe(true)
    await expect(page.getByLabel('Your email address')).toHaveValue('anna@agency.example')
    await signInAgain(page)
  })

  await test.step('when the session ends, typed text is kept', async () => {
    await press(page, 'Reply')
    await answerBox(page).fill('Half an answer')
    state.session = null
    await expect(endedDialog(page)).toBeVisible()
    await signInAgain(page)
    await expect(answerBox(page)).toHaveValue('Half an answer')
  })

  await test.step('if another owner signs in, the page switches to that owner and no longer shows an unsaved draft', async () => {
    await page.clock.runFor(1_000)
    state.session = null
    await answerBox(page).fill('Only Anna may read this.')
    await page.clock.runFor(31_000)
    await expect(endedDialog(page)).toBeVisible()

    await page.evaluate(noteDrafts)
    if (session) state.session = { ...session, owner: 'ben@agency.example' }
    for (let seconds = 0; seconds < 45; seconds += 5) {
      await page.clock.runFor(5_000)
      // The page reloads once it notices that Ben has signed in.
      await page.evaluate(() => fetch('/api/summary')).catch(() => {})
    }
    await expect(endedDialog(page)).toBeHidden()
    await expect(page.getByRole('link', { name: /Dana Whitfield/ })).toBeVisible()
    expect(
      await answerBox(page).evaluateAll((boxes) => boxes.map((box) => (box as HTMLTextAreaElement).value)),
    ).toEqual([])
    expect(await page.evaluate(() => sessionStorage.getItem('drafts'))).toBeNull()
  })
  browserErrors.length = 0
})

test('an owner can extend a session that is about to end', async ({ page, browserErrors }) => {
  await page.setViewportSize({ width: 390, height: 780 })
  const { state } = await fakeInbox(page)
  const endAfter = (ms: number) =>
    Object.assign(state.session ?? {}, {
      signedInAt: new Date(sampleNow()).toISOString(),
      endsAt: new Date(sampleNow() + ms).toISOString(),
    })
  const confirm = page.getByRole('dialog', { name: "Confirm it's you" })
  endAfter(60_000)
  await page.goto(dana)

  await test.step('from an open sheet, an owner can extend the session', async () => {
    await press(page, 'Reply')
    await answerBox(page).fill('Half an answer')
    await page.getByRole('dialog').getByRole('button', { name: 'Stay signed in' }).click()
    await press(page, 'Email me a code')
    await page.getByLabel('Code').fill('K7MF29QX')
    await expect(confirm).toHaveCount(0)
    await expect(page.getByText("You'll be signed out in about a minute.")).toHaveCount(0)
    await expect(answerBox(page)).toHaveValue('Half an answer')
    await press(page, 'Close')
  })

  await test.step('"Confirm it\'s you" closes when the emailed link is opened in another tab', async () => {
    endAfter(60_000)
    await page.clock.runFor(31_000)
    await press(page, 'Stay signed in')
    await expect(confirm).toBeVisible()
    endAfter(86_400_000)
    await page.clock.runFor(31_000)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
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

  await expect(page.getByRole('link', { name: /Dana Whitfield/ })).toBeVisible()
  browserErrors.length = 0
})
