import type { Page } from '@playwright/test'
import { brand } from '#facts/brand.ts'
import type { Inbox } from '../../../server/proof/testing/inbox.ts'
import { expect, test } from '../test.ts'
import { printSignInLink } from './print-sign-in-link.ts'

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

async function signInWithCode(page: Page, inbox: Inbox) {
  await page.goto('/inbox')
  await page.getByLabel('Your email address').fill(brand.email)
  await page.getByRole('button', { name: 'Email me a code' }).click()
  await expect.poll(() => inbox.emails.length).toBe(1)
  const [code = ''] = /\b\w{4}-\w{4}\b/.exec((await inbox.read(0)).text ?? '') ?? []
  await page.getByLabel('Code').fill(code)
  await expect(page.getByText('Nobody is waiting.')).toBeVisible()
}

type Authenticator = Awaited<ReturnType<typeof addAuthenticator>>

async function addPasskey(page: Page, name: string, { touch }: Authenticator) {
  await page.getByRole('link', { name: 'Access' }).click()
  await page.getByLabel('Name').fill(name)
  await touch(async () => {
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await expect(page.getByText('Passkey added.')).toBeVisible()
  })
}

const signOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
}
const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Use a passkey' })

test('while the mail server is down, an owner can sign in with a passkey, but not with a removed one', async ({
  page: phone,
  browser,
  program,
  inbox,
  dataDir,
  browserErrors,
}) => {
  test.setTimeout(120_000)
  const ofPhone = await addAuthenticator(phone)
  await signInWithCode(phone, inbox)
  await addPasskey(phone, 'Anna’s phone', ofPhone)

  const laptop = await browser.newPage({ baseURL: program.url })
  const ofLaptop = await addAuthenticator(laptop)
  await laptop.goto(await printSignInLink(dataDir, program.port))
  await addPasskey(laptop, 'Anna’s laptop', ofLaptop)
  await signOut(laptop)
  await signOut(phone)
  await inbox.close()

  await ofPhone.touch(async () => {
    await passkeyButton(phone).click()
    await expect(phone.getByText('Nobody is waiting.')).toBeVisible()
  })
  await phone.getByRole('link', { name: 'Access' }).click()
  await phone.getByRole('button', { name: 'Remove Anna’s laptop' }).click()
  await phone.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(phone.getByText('Anna’s laptop has been removed.')).toBeVisible()

  await ofLaptop.touch(async () => {
    await passkeyButton(laptop).click()
    await expect(laptop.getByText('This passkey is not known here, or was removed.')).toBeVisible()
  })
  await laptop.close()
  // Expected errors: 401 responses from before the sign-in.
  expect(browserErrors.splice(0).filter((line) => !/status of 401/.test(line))).toEqual([])
})
