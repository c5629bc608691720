import { isoCBOR } from '@simplewebauthn/server/helpers'
import { beforeEach, expect, test } from 'vitest'
import { brand } from '#facts/brand.ts'
import { buildTestApp, testOnce, useTestApp } from '../../proof/testing/build-test-app.ts'
import { type OwnerBrowser, openBrowser, signIn, signInEmails } from '../../proof/testing/owner-browser.ts'
import { createAuthenticator } from '../../proof/testing/software-authenticator.ts'

const owner = 'owner@agency.example'
const refused = 'The passkey was not accepted. Please try again.'
const unknown = 'This passkey is not known here, or was removed. Please sign in with a code.'
const site = useTestApp({ mailTo: [owner, 'bob@agency.example'] })
let browser: OwnerBrowser
let phone: ReturnType<typeof createAuthenticator>
beforeEach(async () => {
  browser = await signIn(site)
  phone = createAuthenticator()
})

const pass = (minutes: number) => site.advanceClock(minutes * 60_000)
const optionsToAdd = async () => (await browser.post('/access/passkeys/options')).body
const add = async (name?: string, lie = {}) =>
  browser.post('/access/passkeys', { name, ...phone.create(await optionsToAdd(), lie) })
const optionsToUse = async (visitor = openBrowser(site.app)) =>
  (await visitor.post('/sign-in/passkey/options')).body
const use = async (visitor = openBrowser(site.app), lie = {}) =>
  visitor.post('/sign-in/passkey', phone.get(await optionsToUse(visitor), lie))
const passkeys = () => site.db.selectFrom('passkeys').selectAll().execute()
const outcome = ({ status, body }: { status: number; body: { detail?: string } }) => [status, body.detail]

test('an owner can add a passkey, which is listed with its name and reported in an email, and then sign in without a code', async () => {
  expect((await add('  My\u202e  phone\n')).status).toBe(201)
  const { passkeys } = (await browser.get('/access')).body
  expect(passkeys).toMatchObject([{ id: phone.id, owner, name: 'My phone', usedAt: null }])
  const [, email] = await signInEmails(site)
  expect(email).toMatchObject({ what: 'passkey_added', recipient: owner, name: 'My phone', by: owner })
  await site.db.deleteFrom('outbox').execute()
  const other = openBrowser(site.app)

  const response = await use(other)

  expect(response.body).toMatchObject({ owner })
  expect((await other.get('/session')).status).toBe(200)
  expect((await other.get('/access')).body.passkeys[0].usedAt).toBe(site.clock.now.toISOString())
  expect((await signInEmails(site)).map(({ what }) => what)).toEqual(['new_browser'])
})

testOnce('the server asks for passkeys that are stored on the device and verify the user', async () => {
  const options = await optionsToAdd()

  expect(options).toMatchObject({
    rp: { id: 'agency.example', name: brand.name },
    user: { name: owner },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
  })
  expect(Buffer.from(options.user.id, 'base64url').toString()).not.toContain('owner')
  expect(await optionsToUse()).toMatchObject({
    rpId: 'agency.example',
    userVerification: 'required',
    allowCredentials: [],
  })
})

test('a passkey that another owner has removed signs nobody in, and its owner gets an email about it', async () => {
  phone = createAuthenticator()
  await add('My laptop')
  const laptop = phone
  phone = createAuthenticator()
  await add('My phone')
  const bob = await signIn(site, openBrowser(site.app), 'bob@agency.example')

  expect((await bob.delete(`/access/passkeys/${phone.id}`)).status).toBe(204)

  expect(outcome(await use())).toEqual([400, unknown])
  const email = (await signInEmails(site)).at(-1)
  expect(email).toMatchObject({ what: 'passkey_removed', recipient: owner, by: 'bob@agency.example' })
  expect((await bob.delete(`/access/passkeys/${phone.id}`)).status).toBe(404)
  expect(await passkeys()).toMatchObject([{ id: laptop.id, used_at: null }])
})

test("a former owner's passkey signs nobody in, and removing it sends no email", async () => {
  await add()
  site.context.env.MAIL_TO.shift()

  expect(outcome(await use())).toEqual([400, unknown])
  const bob = await signIn(site, openBrowser(site.app), 'bob@agency.example')
  expect((await bob.delete(`/access/passkeys/${phone.id}`)).status).toBe(204)
  expect((await signInEmails(site)).map(({ what }) => what)).not.toContain('passkey_removed')
})

testOnce('a device gets one passkey of each owner, by default named after the browser', async () => {
  await add()
  const bob = await signIn(site, openBrowser(site.app), 'bob@agency.example')

  expect(await passkeys()).toMatchObject([{ name: 'Chrome on Android' }])
  expect((await optionsToAdd()).excludeCredentials).toMatchObject([{ id: phone.id }])
  expect((await bob.post('/access/passkeys/options')).body.excludeCredentials).toEqual([])
})

testOnce(
  'a passkey whose counter does not increase, as after a restore, signs in, with a warning',
  async () => {
    await add()
    const warnings = () => site.logLines.filter((line) => line.includes('did not increase')).length
    for (const counter of [4, 5]) {
      phone.device.counter = counter
      await use()
    }
    expect(warnings()).toBe(0)

    expect((await use()).status).toBe(200)
    expect(warnings()).toBe(1)
  },
)

test('a signature works only once', async () => {
  await add()
  const assertion = phone.get(await optionsToUse())
  const send = () => openBrowser(site.app).post('/sign-in/passkey', assertion)

  const responses = await Promise.all(Array.from({ length: 10 }, send))

  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(outcome(await send())).toEqual([400, refused])
})

test('a signature is accepted for five minutes after its challenge was issued', async () => {
  await add()
  const options = await optionsToUse()
  pass(5)
  expect((await openBrowser(site.app).post('/sign-in/passkey', phone.get(options))).status).toBe(200)
  const late = await optionsToUse()
  pass(5.1)

  const response = await openBrowser(site.app).post('/sign-in/passkey', phone.get(late))

  expect(outcome(response)).toEqual([400, refused])
})

test('a challenge that the server did not issue, or issued for another purpose, is rejected', async () => {
  await add()

  for (const challenge of ['', 'AAAA', (await optionsToAdd()).challenge]) {
    const response = await openBrowser(site.app).post('/sign-in/passkey', phone.get({ challenge }))
    expect(outcome(response)).toEqual([400, refused])
  }
})

testOnce.each([{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { isVerified: false }])(
  'neither a signature nor a new passkey with false data is accepted: %j',
  async (lie) => {
    expect(outcome(await add('', lie))).toEqual([400, refused])
    expect(await passkeys()).toEqual([])
    await add()

    expect(outcome(await use(openBrowser(site.app), lie))).toEqual([400, refused])
    expect(site.logLines.join('')).toContain('passkey not accepted')
    expect(site.logLines.join('')).not.toContain('evil')
  },
)

test('a device may leave the user id out', async () => {
  await add()
  for (const userHandle of [null, '']) {
    expect((await use(openBrowser(site.app), { userHandle })).status).toBe(200)
  }
  const { response, ...rest } = phone.get(await optionsToUse())
  const without = { ...rest, response: { ...response, userHandle: undefined } }
  expect((await openBrowser(site.app).post('/sign-in/passkey', without)).status).toBe(200)
})

testOnce('a signature for another user id, or by another device, is rejected', async () => {
  await add()
  const stranger = await use(openBrowser(site.app), { userHandle: 'c29tZWJvZHkgZWxzZQ' })
  const options = await optionsToUse()
  const copy = createAuthenticator().get(options, { userHandle: phone.device.userId })
  const forged = { ...copy, id: phone.id, rawId: phone.id }

  expect(outcome(stranger)).toEqual([400, unknown])
  expect(outcome(await openBrowser(site.app).post('/sign-in/passkey', forged))).toEqual([400, refused])
})

testOnce(
  'a new passkey with an attestation certificate is refused, and nothing that the certificate names is read',
  async () => {
    const registration = phone.create(await optionsToAdd())
    const given = Buffer.from(String(registration.response.attestationObject), 'base64url')
    const attestation = isoCBOR.decodeFirst<Map<string, Map<string, unknown>>>(Uint8Array.from(given))
    attestation.get('attStmt')?.set('x5c', [Uint8Array.of(1)])
    const attestationObject = Buffer.from(isoCBOR.encode(attestation as never)).toString('base64url')

    const response = { ...registration.response, attestationObject }
    expect(outcome(await browser.post('/access/passkeys', { ...registration, response }))).toEqual([
      400,
      refused,
    ])
    expect(site.logLines.join('')).toContain('contains an attestation certificate')
  },
)

test('challenges that nobody used are deleted, so strangers cannot fill the database', async () => {
  for (let count = 0; count < 50; count++) await optionsToUse()
  pass(5.1)
  await optionsToUse()

  expect(await site.db.selectFrom('passkey_challenges').selectAll().execute()).toHaveLength(1)
})

testOnce.each(['', '!', Buffer.from('[]').toString('base64url'), '\0', 'a'.repeat(12_000)])(
  'a malformed passkey is rejected: %j',
  async (garbled) => {
    await add()
    const assertion = phone.get(await optionsToUse())
    const registration = createAuthenticator().create(await optionsToAdd())
    const send = async (path: string, passkey: { response: object }, field: string) =>
      (await browser.post(path, { ...passkey, response: { ...passkey.response, [field]: garbled } })).status

    for (const field of ['clientDataJSON', 'authenticatorData', 'signature'])
      expect(await send('/sign-in/passkey', assertion, field)).toBe(400)
    for (const body of [{}, [], { id: garbled }, { ...assertion, response: null }])
      for (const path of ['/sign-in/passkey', '/access/passkeys'])
        expect((await browser.post(path, body)).status).toBe(400)
    for (const field of ['clientDataJSON', 'attestationObject'])
      expect(await send('/access/passkeys', registration, field)).toBe(400)
  },
)

testOnce.each(['https://203.0.113.7', 'https://[2001:db8::1]', 'http://office.example'])(
  'at %s, passkeys cannot be used, and the response says why',
  async (siteUrl) => {
    await using there = await buildTestApp({ siteUrl })
    const signedIn = await signIn(there)

    const { body } = await signedIn.post('/access/passkeys/options')

    expect(body.detail).toBe(
      `Passkeys need an https address with a domain name, not an IP address. This site is at ${siteUrl}. Sign in with a code instead.`,
    )
    expect((await signedIn.post('/sign-in/passkey/options')).status).toBe(400)
    expect((await signedIn.get('/session')).body.canUsePasskeys).toBe(false)
  },
)
