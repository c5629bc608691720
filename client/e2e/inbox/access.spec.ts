import type { Page } from '@playwright/test'
import { firstReplies } from '#shared/inbox/saved-replies.ts'
import { writeNote } from '../../../server/database/notes.ts'
import { anna, expect, open, press, row, signInWithCode, test } from './test.ts'

declare global {
  interface Window {
    choosePasskey: (() => void) | undefined
    /** How often passkeys were offered. */
    offers: number
  }
}

/**
 * Adds a virtual device and a passkey on it. It confirms the
 * browser's requests only while `touch` runs.
 */
async function addPasskey(page: Page, name: string) {
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
  const touch = async (work: () => Promise<unknown>) => {
    await setPresence(true)
    await work()
    await setPresence(false)
  }
  await open(page, '/inbox/access')
  await page.getByLabel('Name').fill(name)
  await touch(async () => {
    await press(page, 'Add a passkey')
    await expect(page.getByText('Passkey added.')).toBeVisible()
  })
  return touch
}

/**
 * Simulates a browser that offers passkeys in the email field, until `choosePasskey` chooses one.
 */
function offerPasskeys() {
  const { get } = navigator.credentials
  PublicKeyCredential.isConditionalMediationAvailable = async () => true
  window.offers = 0
  navigator.credentials.get = ({ publicKey } = {}) =>
    new Promise((choose) => {
      window.offers++
      window.choosePasskey = () => {
        window.choosePasskey = undefined
        choose(get.call(navigator.credentials, publicKey && { publicKey }))
      }
    })
}

const signOut = async (page: Page) => {
  await press(page, 'Sign out')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
}

test('passkeys sign in while email is down; removed ones do not', async ({ page: phone, browser, site }) => {
  const touchPhone = await addPasskey(phone, 'My phone')
  const laptop = await browser.newPage({ baseURL: site.url })
  await laptop.goto('/inbox')
  await signInWithCode(laptop, site, anna)
  await expect(row(laptop, 'Dana Whitfield')).toBeVisible()
  const touchLaptop = await addPasskey(laptop, 'My laptop')
  await laptop.addInitScript(offerPasskeys)
  // Otherwise, the virtual device can confirm what the phone offers
  // in the field before the button is pressed.
  await phone.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  await signOut(laptop)
  await signOut(phone)
  await site.mail.close()

  await touchPhone(async () => {
    await press(phone, 'Use a passkey')
    await expect(row(phone, 'Dana Whitfield')).toBeVisible()
  })
  await open(phone, '/inbox/access')
  for (const [button, yes] of [
    ['Remove My laptop', 'Remove'],
    ['Sign out Safari on iPhone', 'Sign out'],
  ] as const) {
    const sheet = phone.getByRole('dialog', { name: `${button}?` })
    await press(phone, button)
    await sheet.getByRole('button', { name: 'Close' }).click()
    await press(phone, button)
    await sheet.getByRole('button', { name: yes, exact: true }).click()
    await expect(phone.getByRole('button', { name: button })).toHaveCount(0)
    await expect(phone.getByRole('heading', { name: 'Access' })).toBeFocused()
  }

  // The laptop offers its passkey in the email field, each time with a new challenge.
  for (const _ of [1, 2])
    await touchLaptop(async () => {
      await laptop.waitForFunction(() => window.choosePasskey !== undefined)
      const refused = laptop.waitForResponse('**/api/sign-in/passkey')
      await laptop.evaluate(() => window.choosePasskey?.())
      await refused
    })
  await expect(laptop.getByText('This passkey is not known here, or was removed.')).toBeVisible()
  await laptop.close()
})

test('a sign-in page that was open for long accepts the first passkey', async ({ page, context, site }) => {
  const touch = await addPasskey(page, 'My laptop')
  await page.addInitScript(offerPasskeys)
  await signOut(page)
  await page.waitForFunction(() => window.choosePasskey !== undefined)
  // A device that wakes up is offline at first.
  await context.setOffline(true)
  await site.advance(6 * 60_000, context)
  await page.evaluate(() => new Promise((done) => setTimeout(done, 1500)))
  const renewed = page.waitForResponse('**/sign-in/passkey/options')
  await context.setOffline(false)
  await (await renewed).finished()
  await touch(async () => {
    // The challenge before it is too old.
    await page.waitForFunction(() => window.offers === 2)
    await page.evaluate(() => window.choosePasskey?.())
    await expect(row(page, 'Dana Whitfield')).toBeVisible()
  })
})

test('what the Access page could not do says why, and can be repeated', async ({ page, site }) => {
  const json = { detail: 'The database cannot be read.' }
  await page.route('**/api/export*', (route) => route.fulfill({ status: 503, json }), { times: 1 })
  await open(page, '/inbox/access')
  await page.route('**/api/session', (route) => route.fulfill({ status: 503, json }), { times: 1 })
  await press(page, 'Sign out')
  await expect(page.getByText(`You are still signed in: ${json.detail}`)).toBeVisible()
  await press(page, 'Dismiss')
  await page.route('**/access/sessions/*', (route) => route.fulfill({ status: 503, json }), { times: 1 })
  await press(page, 'Sign out Safari on iPhone')
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click()
  await expect(page.getByText(json.detail)).toBeVisible()
  await press(page, 'Dismiss')
  await page.getByLabel('After an action, open the next request').uncheck()
  expect(await page.evaluate(() => localStorage.getItem('inbox-next'))).toBe('off')

  await press(page, 'For a spreadsheet')
  await expect(page.getByText(json.detail)).toBeVisible()
  const download = page.waitForEvent('download')
  await press(page, 'For a spreadsheet')
  expect((await download).suggestedFilename()).toBe('leads-2026-03-04.xlsx')
  await expect(page.getByText(json.detail)).toHaveCount(0)

  await test.step('what two owners change in the saved replies at once stays', async () => {
    await press(page, 'Change Quote follows')
    await page.getByLabel('Text').fill('Mine')
    const [first, second, third] = firstReplies.replies
    if (!first || !second || !third) throw new Error('There are fewer replies than expected.')
    const replies = [first, second, { ...third, name: 'Theirs' }]
    await writeNote(site.db, 'saved_replies', { replies })
    await press(page, 'Save')
    await expect(page.getByText('Reply saved.')).toBeVisible()
    const shown = page.locator('section').filter({ hasText: 'Saved replies' }).locator('li p')
    await expect(shown).toHaveText(['Mine', /^Hello/, /^Hello/])
    await press(page, 'Change Theirs')
    await press(page, 'Delete')
    await expect(page.getByText('Reply deleted.')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Access' })).toBeFocused()
    await expect(shown).toHaveText(['Mine', /^Hello.*…$/])
    await press(page, 'Undo')
    await expect(page.getByText('Reply restored.')).toBeVisible()
    await expect(shown).toHaveText(['Mine', /^Hello/, /^Hello/])
    await press(page, `Change ${second?.name}`)
    await writeNote(site.db, 'saved_replies', { replies: [{ ...second, text: 'Changed by Ben' }] })
    await press(page, 'Delete')
    await expect(page.getByText('Another owner has changed this reply, so it stays.')).toBeVisible()
    await expect(shown).toHaveText(['Changed by Ben'])
  })

  await test.step('a new reply is saved once its placeholders are known', async () => {
    await press(page, 'Add a reply')
    await page.getByRole('dialog').getByLabel('Name').fill('Thanks')
    await page.getByLabel('Text').fill('Thanks, {Vorname}')
    const placeholders = /There is no \{Vorname\}\. may contain \{first name\}/
    await expect(page.getByLabel('Text')).toHaveAccessibleDescription(placeholders)
    // It changes with each keystroke within the brackets.
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Save' })).toBeDisabled()
    await page.getByLabel('Text').fill('Thanks, {first name}')
    await page.route('**/api/replies', (route) => route.fulfill({ status: 503, json }), { times: 1 })
    await press(page, 'Save')
    await expect(page.getByRole('dialog').getByText(json.detail)).toBeVisible()
    await press(page, 'Save')
    await expect(page.getByRole('button', { name: 'Change Thanks' })).toBeVisible()
  })

  await test.step('a reply that is not saved yet survives a closed sheet and a reload', async () => {
    const [name, text] = [page.getByRole('dialog').getByLabel('Name'), page.getByLabel('Text')]
    for (const [button, before] of [
      ['Add a reply', ''],
      ['Change Thanks', 'Thanks, {first name}'],
    ] as const) {
      await press(page, button)
      await expect(text).toHaveValue(before)
      await name.fill('Half')
      await text.fill('Half a reply')
      await page.keyboard.press('Escape')
      await press(page, button)
      await expect(text).toHaveValue('Half a reply')
      await page.reload()
      await press(page, button)
      await expect(text).toHaveValue('Half a reply')
      await expect(name).toHaveValue('Half')
      await press(page, 'Save')
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    await press(page, 'Add a reply')
    await expect(text).toHaveValue('')
    await page.keyboard.press('Escape')
    const onlyRenamed = `Change ${firstReplies.replies[1]?.name}`
    await press(page, onlyRenamed)
    await name.fill('Renamed')
    await page.reload()
    await press(page, onlyRenamed)
    await expect(name).toHaveValue('Renamed')
  })
})

test('after an old sign-in, nothing leaves and nobody gets in or out before another one', async ({
  page,
  context,
  site,
}) => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' || request.url().includes('/export')) sent.push(request.url())
  })
  await context.grantPermissions(['notifications'])
  await page.addInitScript(() => {
    Notification.requestPermission = async () => 'granted'
  })
  await site.signIn(context, { minutesAgo: 11 })
  await open(page, '/inbox/access')
  const own = page.getByRole('listitem').filter({ hasText: `${anna}, this device` })
  await expect(own).toHaveCount(1)
  await expect(own.getByRole('button')).toHaveCount(0)

  const sheet = page.getByRole('dialog', { name: "Confirm it's you" })
  for (const [button, why] of [
    ['Add a passkey', 'To add a passkey'],
    ['For a spreadsheet', 'To download all requests'],
    ['For programs', 'To download all requests'],
    ['Tell me on this device', 'Messages show requests outside the inbox.'],
    ['Sign out Safari on iPhone', 'To change who has access'],
  ] as const) {
    await press(page, button)
    if (button.startsWith('Sign out'))
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click()
    await expect(sheet).toContainText(why)
    await sheet.getByRole('button', { name: 'Close' }).click()
    await expect(sheet).toHaveCount(0)
  }
  expect(sent.filter((url) => !url.endsWith('/sign-in/passkey/options'))).toEqual([])
  await expect(page.getByRole('button', { name: 'Sign out Safari on iPhone' })).toBeVisible()
})
