import { expect, onTestFinished, test } from 'vitest'
import { readNote } from '../database/notes.ts'
import { createRedaction } from '../errors/redaction.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { openTokenEndpoint, type Refusal } from '../proof/testing/token-endpoint.ts'
import { createTokens, needsToken } from './oauth.ts'

const site = useTestApp()
const MINUTE_MS = 60_000

async function openEndpoint(refreshToken?: string) {
  const endpoint = await openTokenEndpoint(refreshToken === undefined ? {} : { refreshToken })
  onTestFinished(() => endpoint[Symbol.asyncDispose]())
  const oauth = {
    tokenUrl: endpoint.url,
    clientId: 'client',
    clientSecret: 'client-secret',
    scope: 'mail',
    refreshToken,
  }
  const open = (changed: Partial<typeof oauth> = {}) =>
    createTokens({ ...oauth, ...changed }, { db: site.db, now: () => site.clock.now })
  return { ...endpoint, open }
}
const failureOf = (getting: Promise<string>) => getting.catch((error: Error) => error.message)

test.each([
  ['smtp://user@mail.example', true],
  ['smtp://user:password@mail.example', false],
  ['smtp://mail.example', false],
])('%s logs in with a token: %j', (url, expected) => expect(needsToken(url)).toBe(expected))

test('one token is used until shortly before its end, and asked for once at a time', async () => {
  const { state, open } = await openEndpoint()
  const { get } = open()
  expect(await Promise.all([get(), get(), get(true)])).toEqual(Array(3).fill('access-token-1'))
  expect(state.requests.map(({ body }) => body)).toEqual([
    { grant_type: 'client_credentials', client_id: 'client', client_secret: 'client-secret', scope: 'mail' },
  ])
  site.advanceClock(54 * MINUTE_MS)
  expect(await get()).toBe('access-token-1')
  site.advanceClock(MINUTE_MS)
  // Nobody waits for the next one.
  expect(await get()).toBe('access-token-1')
  await expect.poll(() => get()).toBe('access-token-2')
  expect(state.requests).toHaveLength(2)
})

test('a token that does not say when it ends is used for an hour', async () => {
  const { state, open } = await openEndpoint()
  state.expiresIn = undefined
  const { get } = open()
  await get()
  site.advanceClock(54 * MINUTE_MS)
  expect(await get()).toBe('access-token-1')
  state.refusal = { status: 500, body: 'down' }
  site.advanceClock(6 * MINUTE_MS)
  expect(await failureOf(get())).toMatch(/issues no token/)
})

test('a token that was refused is replaced, at most each 10 seconds', async () => {
  const { state, open } = await openEndpoint()
  const { get } = open()
  await get()
  expect([await get(true), state.issued]).toEqual(['access-token-1', 1])
  site.advanceClock(10_000)
  expect([await get(true), await get(true), await get()]).toEqual(Array(3).fill('access-token-2'))
  // A clock that was set back.
  site.advanceClock(-MINUTE_MS)
  expect(await get(true)).toBe('access-token-3')
})

test('while no other token is issued, one is used to its end', async () => {
  const { state, open } = await openEndpoint()
  const { get } = open()
  await get()
  state.refusal = { status: 500, body: 'down' }
  site.advanceClock(59 * MINUTE_MS)
  expect([await get(), await get()]).toEqual(['access-token-1', 'access-token-1'])
  await expect.poll(() => state.requests.length).toBe(2)
  site.advanceClock(MINUTE_MS)
  expect(await failureOf(get())).toMatch(/^127\.0\.0\.1:\d+ issues no token: 500/)
  expect(await failureOf(get())).toMatch(/issues no token/)
  expect(state.requests).toHaveLength(3)
  state.refusal = undefined
  site.advanceClock(10_000)
  expect(await get()).toBe('access-token-2')
})

const refusals: [string, Refusal, RegExp][] = [
  [
    'a refusal',
    { status: 400, body: { error: 'invalid_client', error_description: 'AADSTS7000215: Wrong.\r\nTrace' } },
    /token: 400 invalid_client AADSTS7000215: Wrong\.\r\nTrace$/,
  ],
  [
    'a refusal without a description',
    { status: 401, body: { error: 'invalid_client' } },
    /token: 401 invalid_client$/,
  ],
  ['HTML', { status: 200, body: '<html>' }, /token: 200 this is not the answer of a token endpoint$/],
  ['no token', { status: 200, body: { token_type: 'Bearer' } }, /not the answer of a token endpoint$/],
  [
    'far too much',
    { status: 200, body: { access_token: 'token', padding: 'x'.repeat(10_000_000) } },
    /not the answer of a token endpoint$/,
  ],
  [
    'another address',
    { status: 302, body: '', headers: { location: 'https://other.example' } },
    /token: 302 this is not the answer/,
  ],
  ['a connection that ends', (response) => response.destroy(), /issues no token: /],
]
test.each(refusals)('%s instead of a token is said in words', async (_what, refusal, expected) => {
  const { state, open } = await openEndpoint()
  state.refusal = refusal
  expect(await failureOf(open().get())).toMatch(expected)
})

test.each([
  ['60', MINUTE_MS],
  ['1000000', 60 * MINUTE_MS],
  ['soon', 10_000],
])('an endpoint that asks for a pause (%s) gets it', async (seconds, pauseMs) => {
  const { state, open } = await openEndpoint()
  state.refusal = { status: 429, body: { error: 'slow_down' }, headers: { 'retry-after': seconds } }
  const { get } = open()
  expect(await failureOf(get())).toMatch(/token: 429 slow_down$/)
  state.refusal = undefined
  site.advanceClock(pauseMs - 1)
  expect(await failureOf(get())).toMatch(/token: 429 slow_down$/)
  site.advanceClock(1)
  expect(await get()).toBe('access-token-1')
})

test('a refresh token that is replaced is kept for the next start, and cannot be read in the database', async () => {
  const { state, open } = await openEndpoint('first-refresh-token')
  const { get } = open()
  await get()
  site.advanceClock(MINUTE_MS)
  await get(true)
  expect(state.refreshToken).toBe('refresh-token-2')
  expect(JSON.stringify(await readNote(site.db, 'oauth_refresh_token'))).not.toContain('refresh-token')
  expect(await open().get()).toBe('access-token-3')
  expect(state.requests.map(({ body }) => body.refresh_token)).toEqual([
    'first-refresh-token',
    'refresh-token-1',
    'refresh-token-2',
  ])
})

test('another refresh token, or client secret, in the settings replaces the one that was kept', async () => {
  const { state, open } = await openEndpoint('first-refresh-token')
  await open().get()
  state.refreshToken = 'another-refresh-token'
  await open({ refreshToken: 'another-refresh-token' }).get()
  state.refreshToken = 'another-refresh-token'
  await open({ refreshToken: 'another-refresh-token', clientSecret: 'another' }).get()
  expect(state.requests.map(({ body }) => body.refresh_token)).toEqual([
    'first-refresh-token',
    'another-refresh-token',
    'another-refresh-token',
  ])
})

test('tokens are kept out of logs and errors', async () => {
  const { open } = await openEndpoint('first-refresh-token')
  const redact = createRedaction({})
  await open().get()
  expect(redact('535 access-token-1 refresh-token-1 is wrong')).toBe('535 [secret] [secret] is wrong')
})
