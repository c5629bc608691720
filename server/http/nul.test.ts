import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import request from 'supertest'
import { expect, test } from 'vitest'
import { contactPath, formTokenPath } from '#shared/contact-request.ts'
import { apiPath } from '#shared/inbox/api.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { openBrowser } from '../proof/testing/owner-browser.ts'
import { readBody } from './read-body.ts'

const site = useTestApp()

// PostgreSQL refuses NUL. Both databases store half a surrogate pair as U+FFFD.
const characters = ['\0', '\ud800']
const textsWith = (character: string) => [character, `a${character}b`, `${character}owner@agency.example`]
const texts = characters.flatMap(textsWith)

const expectNoFailure = () =>
  expect(site.logLines.filter((line) => /failed|not available/.test(line))).toEqual([])

const response = { clientDataJSON: 'a', authenticatorData: 'a', signature: 'a', userHandle: 'a' }
const passkey = { id: 'a', rawId: 'a', type: 'public-key', response }
const signInBodies: [string, (text: string) => object][] = [
  ['', (email) => ({ email })],
  ['/code', (code) => ({ code })],
  ['/link', (token) => ({ token })],
  // About the other fields, see passkeys.test.ts.
  ['/passkey', (userHandle) => ({ ...passkey, response: { ...response, userHandle } })],
]

test.each(signInBodies)('a NUL in the body is rejected at /sign-in%s (%#)', async (path, bodyWith) => {
  const browser = openBrowser(site.app)
  // The code is rejected before it is looked up, unless the browser has asked for one.
  await browser.post('/sign-in', { email: 'owner@agency.example' })

  for (const text of texts) expect((await browser.post(`/sign-in${path}`, bodyWith(text))).status).toBe(400)

  expectNoFailure()
})

const addresses = ['/%00', '/%2f%00?a=1', '/assets/%00', `${contactPath}?a=%00`, `${formTokenPath}?%00`]
const ofInbox = ['/sign-in%00', '/sign-in/code?code=%00', '/leads/%00', '/leads?after=%00']
test.each([...addresses, ...ofInbox.map((path) => apiPath + path)])(
  'a NUL is rejected in %s',
  async (url) => {
    for (const method of ['get', 'post', 'put'] as const)
      expect((await request(site.app)[method](url)).status).toBe(400)

    expectNoFailure()
  },
)

test.each([
  ['application/json', '{"message":"a\\u0000b"}'],
  ['application/x-www-form-urlencoded', 'message=a%00b'],
  ['application/x-www-form-urlencoded', 'message=a\0b'],
])('a NUL in a body of %s becomes a character that every database stores', async (type, body) => {
  const headers = { 'content-type': type }
  const sent = Object.assign(Readable.from([Buffer.from(body)]), { headers }) as unknown as IncomingMessage
  expect(await readBody(sent)).toEqual({ message: 'a\u0001b' })
})
