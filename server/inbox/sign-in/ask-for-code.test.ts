import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGroupCommit } from '../../database/group-commit.ts'
import { createKeyedHash } from '../../http/client-address.ts'
import { buildTestApp } from '../../proof/testing/build-test-app.ts'
import { testOnce } from '../../proof/testing/open-test-database.ts'
import { newestCode, openBrowser, signIn } from '../../proof/testing/owner-browser.ts'
import { createAskForCode } from './ask-for-code.ts'

const owner = 'owner@agency.example'
const MINUTE_MS = 60_000
let site: Awaited<ReturnType<typeof buildTestApp>>
let sent: number
let ask: (changes?: { email?: string; client?: string; isKnown?: boolean }) => Promise<void>
beforeEach(async () => {
  const mailTo = [owner, 'bob@agency.example']
  site = await buildTestApp({ mailTo })
  // Most of these tests call `askForCode` without HTTP, because some send hundreds of requests.
  const askForCode = createAskForCode({
    write: createGroupCommit(site.db),
    now: () => site.clock.now,
    mailTo,
    mailFrom: { address: 'site@agency.example' },
    keyedHash: createKeyedHash('a key'),
    onQueued: () => {},
  })
  ask = async ({ email = owner, client = 'her network', isKnown = false } = {}) => {
    await askForCode({ email, client, browser: 'Chrome on Android', isKnown: () => isKnown })
    const { numDeletedRows } = await site.db.deleteFrom('outbox').executeTakeFirstOrThrow()
    sent += Number(numDeletedRows)
  }
})
afterEach(() => site[Symbol.asyncDispose]())

const pass = (minutes: number) => {
  site.clock.now = new Date(site.clock.now.getTime() + minutes * MINUTE_MS)
}
const rows = () => site.db.selectFrom('sign_ins').selectAll().execute()
/** Returns how many emails `work` queues. */
const emailsFrom = async (work: () => Promise<unknown>) => {
  sent = 0
  await work()
  return sent
}
const askOften = async (times: number, minutesBetween: number, changes = {}) => {
  for (let count = 0; count < times; count++) {
    await ask(changes).catch(() => {})
    pass(minutesBetween)
  }
}

// Each test with `testOnce` sends hundreds of requests. Other tests run the same statements on PostgreSQL.
testOnce(
  'a stranger who asks for codes all day neither locks the owner out nor floods her with emails',
  async () => {
    let flood = 0
    const hers: number[] = []
    for (let hour = 0; hour < 24; hour++) {
      flood += await emailsFrom(() => askOften(12, 5, { client: 'a stranger' }))
      if (hour % 3 > 0) continue
      hers.push(await emailsFrom(() => ask()))
      hers.push(await emailsFrom(() => ask({ isKnown: true })))
    }

    expect(flood).toBe(10)
    expect(hers).toEqual(Array(16).fill(1))
  },
)

testOnce(
  'strangers on many networks get 30 codes a day sent for all owners, and do not lock out the browsers that an owner has used before',
  async () => {
    let flood = 0
    const hers: number[] = []
    for (let hour = 0; hour < 24; hour++) {
      for (let client = 0; client < 15; client++)
        for (const email of [owner, 'bob@agency.example'])
          flood += await emailsFrom(() => askOften(1, 2, { email, client: `stranger ${client}` }))
      hers.push(await emailsFrom(() => ask({ isKnown: true })))
    }

    expect(flood).toBe(30)
    expect(hers).toEqual(Array(24).fill(1))
  },
)

test('a neighbor on the same network does not keep a known browser from asking for a code', async () => {
  await askOften(60, 0)

  await expect(ask()).rejects.toMatchObject({ code: 'rate_limited' })
  expect(await emailsFrom(() => ask({ isKnown: true }))).toBe(1)
})

test('on known browsers, an owner gets six codes an hour, but at most three that are valid at the same time', async () => {
  const known = { isKnown: true }

  expect(await emailsFrom(() => askOften(5, 0, known))).toBe(3)
  pass(10)
  expect(await emailsFrom(() => askOften(5, 0, known))).toBe(3)
  pass(10)
  expect(await emailsFrom(() => ask(known))).toBe(0)
  pass(40)
  expect(await emailsFrom(() => ask(known))).toBe(1)
})

test('one network gets three codes an hour for browsers that the owner has never used', async () => {
  expect(await emailsFrom(() => askOften(5, 11))).toBe(3)

  pass(10)
  expect(await emailsFrom(() => ask())).toBe(1)
})

test('codes that were requested before the limit was reached stay valid', async () => {
  await askOften(5, 0)

  const open = (await rows()).filter((request) => request.owner !== null)

  expect(open).toHaveLength(2)
  expect(open.every(({ used_at, tries }) => used_at === null && tries === 0)).toBe(true)
})

test('after twenty requests in an hour, for whatever addresses, a network gets an error that says when to try again', async () => {
  await askOften(20, 1, { email: 'stranger@example.com' })

  const refused = await ask().catch((error: unknown) => error)

  expect(refused).toMatchObject({
    code: 'rate_limited',
    message: 'Too many attempts to sign in from your connection. Please try again in 40 minutes.',
    headers: { 'Retry-After': '2400' },
  })
  expect(await rows()).toHaveLength(20)
  pass(41)
  expect(await emailsFrom(() => ask())).toBe(1)
})

test("requests from many strangers neither fill the table nor push out owners' requests", async () => {
  await ask()
  const [hers] = await rows()
  const strangers = Array.from({ length: 1_500 }, (_, number) => ({
    ...hers,
    owner: null,
    id: `${number}`,
    created_at: new Date(site.clock.now.getTime() + number).toISOString(),
  }))
  await site.db
    .insertInto('sign_ins')
    .values(strangers as never)
    .execute()

  await ask({ email: 'stranger@example.com', client: 'another' })

  const all = await rows()
  expect(all).toHaveLength(1_001)
  expect(all.filter((request) => request.owner !== null)).toHaveLength(1)
})

test('requests from many networks at once do not block each other', async () => {
  await ask({ email: 'stranger@example.com' })
  const [hers] = await rows()
  pass(61)
  const old = Array.from({ length: 1_500 }, (_, number) => ({ ...hers, id: `${number}` }))
  await site.db
    .insertInto('sign_ins')
    .values(old as never)
    .execute()

  await Promise.all(Array.from({ length: 50 }, (_, number) => ask({ client: `network ${number}` })))

  expect(await rows()).toHaveLength(50)
})

test("a new request deletes strangers' requests that are an hour old, and owners' requests that are a day old", async () => {
  await ask({ email: 'stranger@example.com' })
  await ask()
  pass(61)
  await ask({ client: 'another' })
  expect((await rows()).map((request) => request.owner)).toEqual([owner, owner])
  pass(24 * 60)

  await ask()

  expect(await rows()).toHaveLength(1)
})

test('requests stored while the clock was a year ahead do not count toward the limits', async () => {
  pass(365 * 24 * 60)
  await askOften(6, 0)
  pass(-365 * 24 * 60)

  expect(await emailsFrom(() => ask())).toBe(1)
})

test('parallel requests get no more codes than sequential ones', async () => {
  expect(await emailsFrom(() => Promise.allSettled(Array.from({ length: 30 }, () => ask())))).toBe(2)
})

test('a new request deletes expired codes that could not be sent', async () => {
  const browser = openBrowser(site.app)
  await browser.post('/sign-in', { email: owner })
  pass(11)
  await browser.post('/sign-in', { email: 'stranger@example.com' })

  expect(await newestCode(site)).toBe('')
})

test('after a flood from one network, its requests are rejected, except those of known browsers', async () => {
  const browser = await signIn(site)
  const stranger = openBrowser(site.app)
  for (let count = 0; count < 200; count++) await stranger.post('/sign-in', {})

  const refused = await stranger.post('/sign-in', { email: owner })

  expect(refused.status).toBe(429)
  expect((await browser.post('/sign-in', { email: owner })).status).toBe(202)
})

test('after a flood of any of its addresses, all addresses of signing in reject requests without reading the body', async () => {
  const stranger = openBrowser(site.app)
  const paths = ['/sign-in', '/sign-in/code', '/sign-in/link', '/sign-in/passkey', '/sign-in/passkey/options']
  for (let count = 0; count < 50; count++) for (const path of paths.slice(1)) await stranger.post(path, {})

  for (const path of paths)
    expect([path, (await stranger.post(path, { text: 'x'.repeat(20_000) })).status]).toEqual([path, 429])
})

test('a flood from a known browser is rejected, because its cookie may have been stolen', async () => {
  const browser = await signIn(site)
  const ask = () => browser.post('/sign-in', { email: owner })
  // Send 50 at a time: a busy database would reject some of 200 simultaneous requests, and the limit would not count those.
  for (let asked = 0; asked < 200; asked += 50) await Promise.all(Array.from({ length: 50 }, ask))

  expect((await ask()).status).toBe(429)
})
