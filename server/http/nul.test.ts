import request from 'supertest'
import { expect, test } from 'vitest'
import { contactFieldNames, contactPath, formTokenPath } from '#shared/contact-request.ts'
import { apiPath } from '#shared/inbox/api.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { contactTools, postForm } from '../proof/testing/contact.ts'
import { openBrowser } from '../proof/testing/owner-browser.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

const site = useTestApp()
const { leads, post } = contactTools(site)

// PostgreSQL refuses NUL. Both databases store half a surrogate pair as U+FFFD.
const characters = ['\0', '\ud800']
const textsWith = (character: string) => [character, `a${character}b`, `${character}owner@agency.example`]
const texts = characters.flatMap(textsWith)

const expectNoFailure = () =>
  expect(site.logLines.filter((line) => /failed|not available/.test(line))).toEqual([])

test.each(contactFieldNames)('a NUL in %s is removed, in JSON and in a form', async (field) => {
  // A required field may be empty without it.
  for (const text of [...texts, ...textsWith('\0')])
    expect([200, 400]).toContain((await post({ ...sampleRequest(), [field]: text })).status)
  for (const text of textsWith('\0'))
    expect([303, 400]).toContain((await postForm(site.app, { ...sampleRequest(), [field]: text })).status)

  expect(JSON.stringify(await leads())).not.toMatch(/\\u0000|\\ud800/)
  expectNoFailure()
})

const passkey = {
  id: 'a',
  rawId: 'a',
  type: 'public-key',
  response: { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a', userHandle: 'a' },
}
type Body = (text: string) => object
const signInBodies: [string, Body][] = [
  ['/sign-in', (email) => ({ email })],
  ['/sign-in/code', (code) => ({ code })],
  ['/sign-in/link', (token) => ({ token })],
  ...['id', 'rawId', 'type'].map((field): [string, Body] => [
    '/sign-in/passkey',
    (text) => ({ ...passkey, [field]: text }),
  ]),
  ...Object.keys(passkey.response).map((field): [string, Body] => [
    '/sign-in/passkey',
    (text) => ({ ...passkey, response: { ...passkey.response, [field]: text } }),
  ]),
]

test.each(signInBodies)('a NUL in the body is rejected at %s (%#)', async (path, bodyWith) => {
  const browser = openBrowser(site.app)
  // The code is rejected before it is looked up, unless the browser has asked for one.
  await browser.post('/sign-in', { email: 'owner@agency.example' })

  for (const text of texts) expect((await browser.post(path, bodyWith(text))).status).toBe(400)

  expectNoFailure()
})

test.each([
  '/%00',
  '/%2f%00?a=1',
  '/assets/%00',
  `${contactPath}%00`,
  `${contactPath}?a=%00`,
  `${formTokenPath}?%00`,
  '/healthz/ready?a=%00',
  `${apiPath}/sign-in%00`,
  `${apiPath}/sign-in/code?code=%00`,
  `${apiPath}/leads/%00`,
  `${apiPath}/leads?after=%00`,
])('a NUL in the address is rejected: %s', async (url) => {
  for (const method of ['get', 'post', 'put'] as const)
    expect((await request(site.app)[method](url)).status).toBe(400)

  expectNoFailure()
})

test.each([
  {
    Cookie: ['session', 'sign-in', 'known']
      .map((name) => `__Host-inbox-${name}=%00~%00.${'%00'.repeat(43)}`)
      .join('; '),
  },
  { 'User-Agent': 'Chrome/%00 Android' },
  { 'X-Forwarded-For': '%00' },
  { Origin: 'https://%00.example' },
  { 'Idempotency-Key': '%00' },
])('an encoded NUL in a header causes no failure: %j', async (headers) => {
  const browser = openBrowser(site.app, headers)
  const responses = [
    await browser.get('/session'),
    await browser.get('/leads'),
    await browser.post('/sign-in', { email: 'owner@agency.example' }),
    await browser.post('/sign-in/passkey', passkey),
    await post(sampleRequest(), headers),
  ]

  expect(responses.filter(({ status }) => status >= 500)).toEqual([])
  expectNoFailure()
})
