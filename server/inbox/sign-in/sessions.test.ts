import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { IN_USE, PAGE_OF } from '#shared/inbox/headers.ts'
import { buildTestApp, testOnce, useTestApp } from '../../proof/testing/build-test-app.ts'
import {
  newestCode,
  type OwnerBrowser,
  openBrowser,
  sampleSession,
  signIn,
} from '../../proof/testing/owner-browser.ts'
import { createInbox } from '../create-inbox.ts'
import { createSessions } from './sessions.ts'

const owner = 'owner@agency.example'
const bob = 'bob@agency.example'
const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
const site = useTestApp({ mailTo: [owner, bob] })
let browser: OwnerBrowser
beforeEach(async () => {
  browser = await signIn(site)
})

const pass = (milliseconds: number) => site.advanceClock(milliseconds)
const inUse = { [IN_USE]: '1' }
const isSignedIn = async (one = browser) => (await one.get('/session')).status === 200
const rows = () => site.db.selectFrom('sessions').selectAll().execute()
const sessionsFor = (MAIL_TO: string[]) =>
  createSessions({ ...site.inboxDeps, env: { ...site.context.env, MAIL_TO } })

test('using the inbox, even just to read, extends the session, but only to thirty days after the sign-in', async () => {
  for (let day = 0; day < 29; day += 3) {
    expect((await browser.get('/summary', inUse)).status).toBe(200)
    pass(3 * DAY_MS)
  }
  expect(await isSignedIn()).toBe(false)
})

test('a session ends after seven days without use; requests that a page makes by itself do not extend it', async () => {
  await site.submit()
  const { reference } = await site.db.selectFrom('leads').select('reference').executeTakeFirstOrThrow()
  for (const days of [6, 1]) {
    for (const path of ['/session', '/summary', '/leads', `/leads/${reference}`, '/figures', '/access'])
      expect((await browser.get(path)).status).toBe(200)
    expect((await browser.post('/leads/search', { search: 'ada' })).status).toBe(200)
    pass(days * DAY_MS)
  }

  expect(await isSignedIn()).toBe(false)
})

test('what comes from the page of another owner is refused, and leaves the session alone', async () => {
  const statusFor = async (one: string) =>
    (await browser.get('/session', { [PAGE_OF]: encodeURIComponent(one) })).status
  expect([await statusFor(bob), await statusFor(owner)]).toEqual([401, 200])
})

test('signing out ends the session at once, and removes its cookie', async () => {
  const cookies = new Map(browser.cookies)

  const response = await browser.delete('/session')

  expect([response.status, await rows()]).toEqual([204, []])
  // A browser ignores what would clear this cookie without these attributes.
  expect(response.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; Secure; SameSite=Strict$/)
  expect([...browser.cookies.keys()]).toEqual(['__Host-inbox-known'])
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  expect(await isSignedIn()).toBe(false)
})

test('signing in again replaces the session and its cookie', async () => {
  const [before] = await rows()
  const cookie = browser.cookies.get('__Host-inbox-session')

  await signIn(site, browser)

  expect(await rows()).toEqual([expect.not.objectContaining({ id: before?.id })])
  expect(await site.inbox.signIn.findSession(before?.id ?? '')).toBeUndefined()
  expect(browser.cookies.get('__Host-inbox-session')).not.toBe(cookie)
})

testOnce('if a use cannot be recorded, as on a full disk, the owner can still read', async () => {
  await sql`create trigger full before update on sessions begin select raise(fail, 'full'); end`.execute(
    site.db,
  )
  pass(HOUR_MS)

  expect((await browser.get('/summary', inUse)).status).toBe(200)
})

test('owners see all devices, the last used first, and can sign them out', async () => {
  const expired = sampleSession({ seen_at: '2026-02-23T15:00:00.000Z' })
  await site.db.insertInto('sessions').values(expired).execute()
  pass(60_000)
  const phone = await signIn(site, openBrowser(site.app), bob)
  const { body } = await browser.get('/access')
  expect(body.sessions).toMatchObject([{ owner: bob, browser: 'Chrome on Android' }, { owner }])
  const [lost] = body.sessions

  expect((await browser.delete(`/access/sessions/${lost.id}`)).status).toBe(204)
  expect(await isSignedIn(phone)).toBe(false)
  expect((await browser.delete(`/access/sessions/${lost.id}`)).status).toBe(404)
  pass(HOUR_MS)
  await browser.get('/summary', inUse)
  const [{ seenAt }] = (await browser.get('/access')).body.sessions
  expect(seenAt).toBe(site.clock.now.toISOString())
})

test('when the server starts, the sessions of owners who are no longer in MAIL_TO end for good', async () => {
  await signIn(site, openBrowser(site.app), bob)
  const [hers] = await rows()
  const without = sessionsFor([bob])
  expect(await without.find(hers?.id ?? '')).toBeUndefined()

  await createInbox({ ...site.inboxDeps, env: { ...site.inboxDeps.env, MAIL_TO: [bob] } }).start()

  expect(await sessionsFor([owner, bob]).find(hers?.id ?? '')).toBeUndefined()
  expect(await rows()).toMatchObject([{ owner: bob }])
})

test('an owner whose address is written in other letters stays signed in, with passkeys and drafts', async () => {
  await site.submit()
  await site.submit({ message: 'Another one' })
  const [first, second] = await site.db.selectFrom('leads').select('id').orderBy('id').execute()
  const draft = { text: 'Hi', updated_at: site.clock.now.toISOString() }
  const inCapitals = owner.toUpperCase()
  const drafts = [
    { ...draft, lead_id: first?.id ?? '', owner },
    { ...draft, lead_id: second?.id ?? '', owner },
    { ...draft, lead_id: second?.id ?? '', owner: inCapitals },
  ]
  await site.db.insertInto('lead_drafts').values(drafts).execute()
  const file = { name: 'a.pdf', type: 'a/b', at: draft.updated_at, owner, in_draft: 1 as const }
  const attached = [first, second].map((lead, index) => ({
    ...file,
    id: `${index}`,
    lead_id: lead?.id ?? '',
  }))
  await site.db.insertInto('files').values(attached).execute()
  const key = { public_key: '', user_id: '', name: '', host: '', created_at: '', used_at: null, counter: 0 }
  await site.db
    .insertInto('passkeys')
    .values({ ...key, id: 'key', owner })
    .execute()
  const page = { [PAGE_OF]: encodeURIComponent(owner) }

  Object.assign(site.context.env, { MAIL_TO: [inCapitals, bob] })
  await createInbox(site.inboxDeps).start()

  expect((await browser.get('/session', page)).body).toMatchObject({ owner: inCapitals })
  const ownersIn = async (table: 'passkeys' | 'lead_drafts' | 'files') =>
    (await site.db.selectFrom(table).select('owner').execute()).map((row) => row.owner)
  expect(await ownersIn('passkeys')).toEqual([inCapitals])
  expect((await ownersIn('lead_drafts')).toSorted()).toEqual([inCapitals, inCapitals, owner])
  // That of the other draft must not be sent with this one.
  expect((await ownersIn('files')).toSorted()).toEqual([inCapitals, owner])
})

test('what a former owner has not sent is for the first owner, unless that one has begun another answer', async () => {
  for (const message of ['A shop', 'A logo', 'A blog']) await site.submit({ message })
  const leads = await site.db.selectFrom('leads').select('id').orderBy('id').execute()
  const [shop = '', logo = '', blog = ''] = leads.map(({ id }) => id)
  const at = site.clock.now.toISOString()
  const draft = (lead_id: string, of: string) => ({ lead_id, owner: of, text: 'Hi', updated_at: at })
  const file = (lead_id: string) =>
    ({ id: lead_id, lead_id, owner, name: 'a.pdf', type: 'a/b', at, in_draft: 1 }) as const
  const another = 'another@agency.example'
  const drafts = [draft(shop, owner), draft(shop, another), draft(logo, owner), draft(logo, bob)]
  for (const spelled of ['gone@agency.example', 'Gone@agency.example']) drafts.push(draft(blog, spelled))
  await site.db.insertInto('lead_drafts').values(drafts).execute()
  await site.db
    .insertInto('files')
    .values([file(logo), file(blog)])
    .execute()

  Object.assign(site.context.env, { MAIL_TO: [bob, 'ben@agency.example'] })
  await createInbox(site.inboxDeps).start()

  const of = async (table: 'lead_drafts' | 'files', lead: string) => {
    const rows = site.db.selectFrom(table).select('owner').where('lead_id', '=', lead)
    return (await rows.execute()).map((row) => row.owner).toSorted()
  }
  expect(await of('lead_drafts', shop)).toHaveLength(2)
  expect(await of('lead_drafts', shop)).toContain(bob)
  expect([await of('lead_drafts', logo), await of('files', logo)]).toEqual([[bob, owner], [owner]])
  expect(await of('lead_drafts', blog)).toHaveLength(2)
  expect(await of('files', blog)).toEqual([bob])
})

test('a forged cookie signs nobody in, whatever it contains', async () => {
  const name = '__Host-inbox-session'
  for (const value of ['', 'x', 'a'.repeat(4_000), "' or 1=1 --", '%00', (await rows())[0]?.id ?? '']) {
    browser.cookies.set(name, value)
    expect(await isSignedIn()).toBe(false)
  }
})

test('cookies are protected from scripts, from other sites and, on https, from plain http', async () => {
  const { headers } = await browser.post('/sign-in', { email: owner })

  expect(headers['set-cookie']?.[0]).toMatch(
    /^__Host-inbox-sign-in=[\w-]{43}; Max-Age=600; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
  )
  const signedIn = await browser.post('/sign-in/code', { code: await newestCode(site) })
  const days = String(signedIn.headers['set-cookie']).match(/(?<=Max-Age=)\d+/g)
  expect(days?.map((seconds) => Number(seconds) / 86_400)).toEqual([30, 400])
  await using local = await buildTestApp({ siteUrl: 'http://localhost:3000', mailTo: [owner] })
  const there = await signIn(local)
  expect([...there.cookies.keys()]).toEqual(['inbox-session', 'inbox-known'])
  expect((await there.get('/session')).body.canUsePasskeys).toBe(true)
})
