import type { Page } from '@playwright/test'
import { anna, ben, expect, press, row, signInWithCode, test } from './test.ts'

declare global {
  interface Window {
    choosePasskey: (() => void) | undefined
  }
}

/** Adds a virtual device that stores passkeys. It confirms the browser's requests only while `touch` runs. */
async function addAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: false,
    },
  })
  const setPresence = (enabled: boolean) =>
    devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  return {
    async touch(work: () => Promise<unknown>) {
      await setPresence(true)
      await work()
      await setPresence(false)
    },
  }
}

/** Adds a virtual device and a passkey on it. */
async function addPasskey(page: Page, name: string) {
  const device = await addAuthenticator(page)
  await page.goto('/inbox/access')
  await page.getByLabel('Name').fill(name)
  await device.touch(async () => {
    await press(page, 'Add a passkey')
    await expect(page.getByText('Passkey added.')).toBeVisible()
  })
  return device
}

const signOut = async (page: Page) => {
  await press(page, 'Sign out')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
}

test('while the mail server is down, an owner can sign in with a passkey, but not with a removed one', async ({
  page: phone,
  browser,
  site,
}) => {
  const ofPhone = await addPasskey(phone, 'My phone')
  const laptop = await browser.newPage({ baseURL: site.url })
  await laptop.goto('/inbox')
  await signInWithCode(laptop, site, anna)
  await expect(row(laptop, 'Dana Whitfield')).toBeVisible()
  const ofLaptop = await addPasskey(laptop, 'My laptop')
  await signOut(laptop)
  await signOut(phone)
  await site.mail.close()

  await ofPhone.touch(async () => {
    await press(phone, 'Use a passkey')
    await expect(row(phone, 'Dana Whitfield')).toBeVisible()
  })
  await phone.goto('/inbox/access')
  await press(phone, 'Remove My laptop')
  await press(phone, 'Remove')
  await expect(phone.getByText('My laptop no longer has access.')).toBeVisible()

  await ofLaptop.touch(async () => {
    await press(laptop, 'Use a passkey')
    await expect(laptop.getByText('This passkey is not known here, or was removed.')).toBeVisible()
  })
  await laptop.close()
})

/** Simulates a browser that offers passkeys in the email field. `window.choosePasskey` chooses one. */
function offerPasskeys() {
  const { get } = navigator.credentials
  PublicKeyCredential.isConditionalMediationAvailable = async () => true
  navigator.credentials.get = ({ publicKey } = {}) =>
    new Promise((choose) => {
      window.choosePasskey = () => {
        window.choosePasskey = undefined
        choose(get.call(navigator.credentials, publicKey && { publicKey }))
      }
    })
}

test('if an owner chooses a passkey in the email field too late, the page says so, and the owner can choose it again', async ({
  page,
  context,
  site,
}) => {
  const phone = await addPasskey(page, 'My phone')
  await page.addInitScript(offerPasskeys)
  await signOut(page)
  const choose = () =>
    phone.touch(async () => {
      await page.waitForFunction(() => window.choosePasskey !== undefined)
      const answered = page.waitForResponse('**/api/sign-in/passkey')
      await page.evaluate(() => window.choosePasskey?.())
      await answered
    })
  await page.waitForFunction(() => window.choosePasskey !== undefined)
  await site.advance(6 * 60_000, context)

  await choose()
  await expect(page.getByText('The passkey was not accepted. Please try again.')).toBeVisible()
  await choose()

  await expect(row(page, 'Dana Whitfield')).toBeVisible()
})

test('removing a passkey and signing a device out ask for confirmation first', async ({ page, site }) => {
  const passkeys = () => site.db.selectFrom('passkeys').select('id').execute()
  const bens = () => site.db.selectFrom('sessions').select('id').where('owner', '=', ben).execute()
  await page.goto('/inbox/access')
  await expect(page.getByText(`${ben}, last used about 2 h ago`, { exact: true })).toBeVisible()
  for (const [button, yes, rows] of [
    ['Remove Anna’s phone', 'Remove', passkeys],
    ['Sign out Safari on iPhone', 'Sign out', bens],
  ] as const) {
    const sheet = page.getByRole('dialog', { name: `${button}?` })
    await press(page, button)
    await sheet.getByRole('button', { name: 'Close' }).click()
    expect(await rows()).toHaveLength(1)

    await press(page, button)
    await sheet.getByRole('button', { name: yes, exact: true }).click()
    await expect(sheet).toHaveCount(0)
    await expect.poll(rows).toHaveLength(0)
  }
})

test('if the server refuses a download, the page says why, and the next download is saved', async ({
  page,
}) => {
  const json = { detail: 'The database cannot be read.' }
  await page.route('**/api/export*', (route) => route.fulfill({ status: 503, json }), { times: 1 })
  await page.goto('/inbox/access')

  await press(page, 'For a spreadsheet')
  await expect(page.getByText(json.detail)).toBeVisible()
  const download = page.waitForEvent('download')
  await press(page, 'For a spreadsheet')

  expect((await download).suggestedFilename()).toBe('leads-2026-03-04.xlsx')
  await expect(page.getByText(json.detail)).toHaveCount(0)
})
