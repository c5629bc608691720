import { beforeEach, expect, test } from 'vitest'
import { CODE_ELSEWHERE, CODE_WRONG } from '#shared/inbox/api.ts'
import { writeNote } from '../../database/notes.ts'
import { testOnce, useTestApp } from '../../proof/testing/build-test-app.ts'
import {
  firefoxOnWindows,
  newestCode,
  type OwnerBrowser,
  openBrowser,
  signIn,
  signInEmails,
} from '../../proof/testing/owner-browser.ts'
import { createSignInLink, hashCode } from './codes.ts'
import { reportRestore } from './sign-in-email.ts'

const owner = 'owner@agency.example'
const bob = 'bob@agency.example'
const site = useTestApp({ mailTo: [owner, bob] })
let browser: OwnerBrowser
beforeEach(() => {
  browser = openBrowser(site.app)
})

const pass = (minutes: number) => site.advanceClock(minutes * 60_000)
const ask = (asking = browser, email = owner) => asking.post('/sign-in', { email })
const redeem = (code: string, redeeming = browser) => redeeming.post('/sign-in/code', { code })
const wrong = (code: string) => `${code.slice(0, 7)}${code.endsWith('2') ? '3' : '2'}`

test('of 20 simultaneous requests with the same code, only one signs in', async () => {
  await ask(browser, 'Owner@AGENCY.example')
  const code = await newestCode(site)

  const responses = await Promise.all(Array.from({ length: 20 }, () => redeem(code)))

  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await site.db.selectFrom('sessions').selectAll().execute()).toHaveLength(1)
})

test.each([1, 2, 3])(
  'if a browser asks four times, the last three codes work, such as number %i',
  async (number) => {
    await signIn(site, browser)
    const codes: string[] = []
    for (let count = 0; count < 4; count++) {
      await ask()
      codes.push(await newestCode(site))
    }

    expect((await redeem(codes[number] ?? '')).status).toBe(200)
  },
)

test('a code is rejected after ten minutes', async () => {
  await ask()
  const code = await newestCode(site)
  pass(10)

  const late = await redeem(code)

  expect([late.status, late.body.detail]).toEqual([400, CODE_WRONG])
})

test('twenty simultaneous guesses get no more than five tries, then the right code fails, with the same words', async () => {
  await ask()
  const code = await newestCode(site)

  const responses = await Promise.all(Array.from({ length: 20 }, () => redeem(wrong(code))))
  responses.push(await redeem(code))

  const [request] = await site.db.selectFrom('sign_ins').select('tries').execute()
  expect(request?.tries).toBe(5)
  expect(new Set(responses.map(({ status, body }) => `${status} ${body.detail}`))).toEqual(
    new Set([`400 ${CODE_WRONG}`]),
  )
})

test("in another browser, such as a mail scanner's, a code signs nobody in and stays valid", async () => {
  await ask()
  const code = await newestCode(site)
  const scanner = openBrowser(site.app, { 'User-Agent': firefoxOnWindows })
  for (let count = 0; count < 10; count++)
    expect((await redeem(code, scanner)).body).toMatchObject({ status: 400, detail: CODE_ELSEWHERE })

  expect(scanner.cookies.size).toBe(0)
  expect((await redeem(code)).status).toBe(200)
})

test('a link from the shell signs in only once, and only within ten minutes', async () => {
  const { url } = await createSignInLink(site.db, owner, '', site.clock.now)
  const follow = async (following: OwnerBrowser, link = url) =>
    (await following.post('/sign-in/link', { token: link.split('#link=')[1] })).status

  expect([await follow(browser), await follow(openBrowser(site.app))]).toEqual([200, 400])
  const later = await createSignInLink(site.db, owner, '', site.clock.now)
  pass(10)
  expect(await follow(browser, later.url)).toBe(400)
})

test("wrong guesses in one browser use up no tries of another owner's code", async () => {
  await ask()
  const code = await newestCode(site)
  const other = openBrowser(site.app)
  await ask(other, bob)

  for (let count = 0; count < 5; count++) await redeem(wrong(code), other)

  expect((await redeem(code)).status).toBe(200)
})

test('the cookie of somebody who asked for a code is not a link that signs in', async () => {
  const stranger = openBrowser(site.app)
  await ask(stranger)
  const token = stranger.cookies.get('__Host-inbox-sign-in') ?? ''
  expect(token).toMatch(/^[\w-]{43}$/)

  const response = await stranger.post('/sign-in/link', { token })

  expect([response.status, (await stranger.get('/session')).status]).toEqual([400, 401])
})

test('an owner who is removed from MAIL_TO can redeem neither a code nor a link', async () => {
  await ask()
  const code = await newestCode(site)
  const { url } = await createSignInLink(site.db, owner, '', site.clock.now)
  site.context.env.MAIL_TO.shift()

  expect((await redeem(code)).body.detail).toBe(CODE_WRONG)
  expect((await browser.post('/sign-in/link', { token: url.split('#link=')[1] })).status).toBe(400)
  expect(await site.db.selectFrom('sessions').selectAll().execute()).toEqual([])
})

testOnce.each([
  { email: '' },
  { email: 'Anna <owner@agency.example>' },
  { email: [owner] },
  { email: `${'a'.repeat(300)}@example.com` },
  { email: `${owner}\r\nBcc: x@example.com` },
  [],
])('%j is not an address: the response shows an example, and nothing is stored or sent', async (body) => {
  const response = await browser.post('/sign-in', body)

  const hint = 'Type your email address, like name@example.com.'
  expect([response.status, response.body.detail]).toEqual([400, hint])
  expect(await site.db.selectFrom('sign_ins').selectAll().execute()).toEqual([])
})

test('a sign-in with a browser that is new to an owner is reported to that owner, but only once', async () => {
  for (const who of [owner, bob, owner, bob]) await signIn(site, browser, who)
  await signIn(site, openBrowser(site.app, { 'User-Agent': firefoxOnWindows }))

  const reports = (await signInEmails(site)).filter(({ what }) => what === 'new_browser')

  expect(reports).toMatchObject([
    { recipient: owner, browser: 'Chrome on Android' },
    { recipient: bob, browser: 'Chrome on Android' },
    { recipient: owner, browser: 'Firefox on Windows' },
  ])
})

test('the database tables for signing in contain neither codes nor cookies', async () => {
  await ask()
  const code = await newestCode(site)
  await redeem(code)
  await site.db.deleteFrom('outbox').execute()

  const rows = JSON.stringify([
    await site.db.selectFrom('sign_ins').selectAll().execute(),
    await site.db.selectFrom('sessions').selectAll().execute(),
  ])

  expect(code).toMatch(/^[2-9A-Z]{8}$/)
  const hashes = ['a cookie', 'another'].map((cookie) => hashCode(site.inboxDeps.keyedHash, cookie, code))
  expect(new Set(hashes).size).toBe(2)
  expect(browser.cookies.size).toBe(3)
  for (const secret of [code, ...browser.cookies.values()]) expect(rows).not.toContain(secret)
})

test('after a restore, each owner gets one email, even if two replicas start at the same time', async () => {
  const backupAt = '2026-03-01T08:00:00.000Z'
  await writeNote(site.db, 'restored_backup', { backupAt })

  await Promise.all([site.inbox.start(), reportRestore(site.inboxDeps)])
  await reportRestore(site.inboxDeps)

  const news = { what: 'restored', backupAt }
  const expected = [owner, bob].map((recipient) => ({ recipient, ...news }))
  expect(await signInEmails(site)).toMatchObject(expected)
})
