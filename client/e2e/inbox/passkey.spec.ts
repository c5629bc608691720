import type { Page } from '@playwright/test'
import { anna, expect, press, row, signInWithCode, test } from './test.ts'

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

type Authenticator = Awaited<ReturnType<typeof addAuthenticator>>

async function addPasskey(page: Page, name: string, { touch }: Authenticator) {
  await page.goto('/inbox/access')
  await page.getByLabel('Name').fill(name)
  await touch(async () => {
    await press(page, 'Add a passkey')
    await expect(page.getByText('Passkey added.')).toBeVisible()
  })
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
  const ofPhone = await addAuthenticator(phone)
  await addPasskey(phone, 'My phone', ofPhone)
  const laptop = await browser.newPage({ baseURL: site.url })
  const ofLaptop = await addAuthenticator(laptop)
  await laptop.goto('/inbox')
  await signInWithCode(laptop, site, anna)
  await expect(row(laptop, 'Dana Whitfield')).toBeVisible()
  await addPasskey(laptop, 'My laptop', ofLaptop)
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
  await expect(phone.getByText('My laptop has been removed.')).toBeVisible()

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

declare global {
  interface Window {
    choosePasskey: (() => void) | undefined
  }
}

test('if an owner chooses a passkey in the email field too late, the page says so, and the owner can choose it again', async ({
  page,
  context,
  site,
}) => {
  const phone = await addAuthenticator(page)
  await addPasskey(page, 'My phone', phone)
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
