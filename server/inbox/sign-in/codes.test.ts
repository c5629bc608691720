import { beforeEach, expect, test } from 'vitest'
import { testOnce, useTestApp } from '../../proof/testing/build-test-app.ts'
import { newestCode, openBrowser, signIn } from '../../proof/testing/owner-browser.ts'
import { createCodes } from './codes.ts'

const owner = 'owner@agency.example'
const MINUTE_MS = 60_000
const site = useTestApp({ mailTo: [owner, 'bob@agency.example'] })
let sent: number
let ask: (changes?: { email?: string; client?: string; isKnown?: boolean }) => Promise<void>
beforeEach(async () => {
  // Most of these tests ask without HTTP, with networks of their choice.
  const codes = createCodes({ ...site.inboxDeps, onQueued: () => sent++ })
  ask = async ({ email = owner, client = 'her network', isKnown = false } = {}) => {
    await codes.ask({ email, client, browser: 'Chrome on Android', isKnown: () => isKnown })
  }
})

const pass = (minutes: number) => site.advanceClock(minutes * MINUTE_MS)
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

// Each test with `testOnce` sends hundreds of requests. Other tests run the same statements on
// PostgreSQL.
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

test.each([
  ['on known browsers, an owner', 6, { isKnown: true }],
  ['for browsers that the owner has never used, one network', 3, {}],
])('%s gets %i codes an hour', async (_who, limit, changes) => {
  expect(await emailsFrom(() => askOften(10, 0, changes))).toBe(limit)
  expect(await emailsFrom(() => ask({ ...changes, email: 'bob@agency.example' }))).toBe(1)
  pass(59)
  expect(await emailsFrom(() => ask(changes))).toBe(0)
  pass(1)
  expect(await emailsFrom(() => ask(changes))).toBe(1)
})

test('parallel requests get no more codes than sequential ones, and many networks get six an hour', async () => {
  const askFrom = (networks: number) =>
    emailsFrom(() =>
      Promise.all(Array.from({ length: 30 }, (_, index) => ask({ client: `${index % networks}` }))),
    )

  expect(await askFrom(1)).toBe(3)
  expect(await askFrom(30)).toBe(3)
})

test('codes from a time when the clock was ahead do not lock the owner out', async () => {
  pass(2 * 24 * 60)
  await askOften(6, 0, { isKnown: true })
  pass(-2 * 24 * 60)

  expect(await emailsFrom(() => ask({ isKnown: true }))).toBe(1)
})

testOnce(
  'after a flood, all ways to sign in reject requests of that network unread, but a known browser only after its own',
  async () => {
    const browser = await signIn(site)
    const stranger = openBrowser(site.app)
    const paths = ['/sign-in/code', '/sign-in/link', '/sign-in/passkey', '/sign-in/passkey/options']
    for (let count = 0; count < 50; count++) for (const path of paths) await stranger.post(path, {})

    const { body, headers } = await stranger.post('/sign-in', { email: owner })
    expect(body.detail).toContain('Please try again in 60 minutes')
    expect(Number(headers['retry-after'])).toBeGreaterThan(3_500)
    expect(await newestCode(site)).toBe('')
    for (const path of paths)
      expect([path, (await stranger.post(path, { text: 'x'.repeat(20_000) })).status]).toEqual([path, 429])
    expect((await browser.post('/sign-in', { email: owner })).status).toBe(202)

    // The cookie of a known browser may have been stolen.
    for (let count = 0; count < 200; count++) await browser.post('/sign-in/code')
    expect((await browser.post('/sign-in', { email: owner })).status).toBe(429)
  },
)
