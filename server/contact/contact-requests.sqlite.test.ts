import request from 'supertest'
import { expect, test } from 'vitest'
import { contactPath } from '#shared/contact-request.ts'
import type { LeadSource } from '#shared/lead-source.ts'
import { buildTestApp, useTestApp } from '../proof/testing/build-test-app.ts'
import { contactTools, exchange, postContact, postForm } from '../proof/testing/contact.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

const site = useTestApp({ trustProxy: 1 })

const { post, leads } = contactTools(site)

test('invalid input gets a 400 that lists every invalid field, in the order of the form, but no optional one', async () => {
  const response = await post({
    firstName: ' ',
    email: 'nobody',
    budget: 'huge',
    website: 'ftp://x.example',
  }).expect(400)

  expect(response.type).toBe('application/problem+json')
  expect(response.body).toMatchObject({ type: 'about:blank', title: 'Bad Request', status: 400 })
  const fields = response.body.errors.map((error: { field: string }) => error.field)
  expect(fields).toEqual(['firstName', 'lastName', 'email', 'message'])
  expect(response.body.errors[2].message).toBe('Please enter an email address like name@example.com.')
  expect(await leads()).toEqual([])
})

test.each([
  ['malformed JSON', '{"firstName":'],
  ['an array', '[]'],
  ['null', 'null'],
  ['text', '"x"'],
  ['arrays nested 8,000 deep', '['.repeat(8000) + ']'.repeat(8000)],
  ['objects nested 2,700 deep', `${'{"a":'.repeat(2700)}1${'}'.repeat(2700)}`],
  ['a prototype', '{"__proto__":{"firstName":"a"},"constructor":{}}'],
  ['a number instead of text', JSON.stringify({ ...sampleRequest(), message: 5 })],
  ['a message of control characters', JSON.stringify(sampleRequest({ message: '\0\u0007' }))],
  ['a name of a lone surrogate', JSON.stringify(sampleRequest({ firstName: '\ud800' }))],
  ['an empty body', ''],
])('%s gets a 400', async (_name, body) => {
  const response = await post(body).expect(400)

  expect(response.type).toBe('application/problem+json')
})

test.each([
  { 'Content-Type': 'text/plain' },
  { 'Content-Type': 'application/json; charset=utf-16' },
  { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
])('a body with the headers %o gets a 415', async (headers) => {
  const response = await post(JSON.stringify(sampleRequest()), headers).expect(415)

  expect(response.body.status).toBe(415)
})

test('a form that is not UTF-8 is rejected, but a stray percent sign is accepted', async () => {
  const send = (message: string) =>
    postForm(site.app, `firstName=A&lastName=B&email=a%40b.example&message=${message}`)

  expect([(await send('caf%e9')).status, (await send('caf%c3%a9 at 100% off %e2%82%ac')).status]).toEqual([
    400, 303,
  ])
})

test('a request with a method other than POST and OPTIONS gets a 405 that lists the allowed methods', async () => {
  for (const method of ['get', 'put', 'delete', 'patch'] as const) {
    const response = await request(site.app)[method](contactPath).expect(405)
    expect(response.headers.allow).toBe('POST, OPTIONS')
  }
})

test('a body over 16 KiB, or a form over 48, gets a 413 before it is uploaded, and the connection is closed', async () => {
  const sizes = { 'application/json': 16, 'application/x-www-form-urlencoded': 48 }
  for (const [type, kibibytes] of Object.entries(sizes)) {
    const headers = { 'Content-Type': type, 'Content-Length': kibibytes * 1024 + 1 }

    const response = await exchange(site.app, { method: 'POST', path: contactPath, headers }, ['{'], false)

    expect([response.status, response.headers.connection]).toEqual([413, 'close'])
  }
})

test('a message of the maximum length is accepted in any script, as JSON and as a form', async () => {
  const text = (length: number) => '漢'.repeat(length)
  const longest = sampleRequest({ firstName: text(100), message: text(5000) })

  await post(longest).expect(200)
  await postForm(site.app, { ...longest, lastName: 'B' }).expect(303)
})

const long = 'x'.repeat(7_000)

// lead-source.test.ts cleans many other values.
const nested = { parameters: { utm_source: JSON.parse('['.repeat(4_000) + ']'.repeat(4_000)) } }
const personal = {
  landing: '/bye/ada%40example.com',
  parameters: { utm_term: 'ada@example.com', utm_id: '7' },
}
const cut = { landing: `/${'x'.repeat(199)}`, parameters: { utm_source: 'x'.repeat(200) } }
test.each<[string, unknown, LeadSource]>([
  ['null', null, {}],
  ['deep nesting', nested, {}],
  ['a very long value', { landing: `/${long}`, parameters: { utm_source: long } }, cut],
  ['the id of a click', { parameters: { gclid: 'Cj0KCQiA7' } }, { parameters: { gclid: '1' } }],
  ['an email address', personal, { parameters: { utm_id: '7' } }],
])(
  'a lead is stored even if its source is or contains %s, but only allowed values of the source are kept',
  async (_what, source, stored) => {
    await post({ ...sampleRequest(), source }).expect(200)

    expect((await leads()).map(({ source }) => JSON.parse(source))).toEqual([stored])
  },
)

test.each([
  [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }, 200],
  [{ 'Sec-Fetch-Site': 'none' }, 200],
  [{ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://agency.example' }, 403],
  [{ 'Sec-Fetch-Site': 'same-site', Origin: 'https://shop.agency.example' }, 403],
  [{ Origin: 'https://agency.example' }, 200],
  [{ Origin: 'https://site.example', Host: 'site.example' }, 200],
  [{ Origin: 'http://site.example:81', Host: 'site.example:81' }, 200],
  [{ Origin: 'https://evil.example' }, 403],
  [{ Origin: 'https://evil.example', 'X-Forwarded-Host': 'evil.example' }, 403],
  [{ Origin: 'null' }, 403],
  [{ Origin: 'null', Host: '' }, 403],
])('a request with the headers %o gets a %i', async (headers, status) => {
  await post(sampleRequest(), headers as Record<string, string>).expect(status)
})

test('pages of an allowed origin can read the response, even if it is an error', async () => {
  await using open = await buildTestApp({ allowedOrigins: ['https://partner.example'] })
  const from = { Origin: 'https://partner.example', 'Sec-Fetch-Site': 'cross-site' }

  const stored = await postContact(open.app, sampleRequest(), from).expect(200)
  const refused = await postContact(open.app, {}, from).expect(400)

  for (const { headers } of [stored, refused]) {
    expect(headers['access-control-allow-origin']).toBe('https://partner.example')
    expect(headers['access-control-expose-headers']).toContain('Retry-After')
    expect(headers.vary).toContain('Origin')
  }
  await postContact(open.app, sampleRequest(), { ...from, Origin: 'https://other.example' }).expect(403)
})

test('only an allowed origin gets CORS headers for a preflight', async () => {
  await using open = await buildTestApp({ allowedOrigins: ['https://partner.example'] })
  const ask = (origin: string) => request(open.app).options(contactPath).set('Origin', origin).expect(204)

  const allowed = await ask('https://partner.example')
  const foreign = await ask('https://evil.example')

  for (const header of ['apikey', 'authorization', 'x-client-info', 'content-type', 'idempotency-key'])
    expect(allowed.headers['access-control-allow-headers']).toContain(header)
  expect(Object.keys(foreign.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})

const proxies = ['127.0.0.0/8', '::1', '10.0.0.0/8']

test.each<[what: string, trustProxy: number | string[], one: string, other: string, second: number]>([
  ['forged, without a trusted proxy', 0, '1.1.1.1', '2.2.2.2', 429],
  ['of two visitors', 1, '1.1.1.1', '2.2.2.2', 200],
  ['with ports', 1, '1.1.1.1:50001', '1.1.1.1:50002', 429],
  ['of IPv6, with ports', 1, '[2001:db8::1]:50001', '[2001:db8::1]:50002', 429],
  ['of IPv6, with and without brackets', 1, '[2001:db8::1]', '2001:db8::1', 429],
  ['after forged ones', 1, '9.9.9.9:1, 1.1.1.1:50001', '8.8.8.8:1,1.1.1.1:50002', 429],
  ['after unknown ones', 1, 'unknown:1, 1.1.1.1', 'unknown:2, 1.1.1.1', 429],
  [
    'of two visitors, through a proxy with a port',
    proxies,
    '1.1.1.1:1, 10.0.0.1:2',
    '2.2.2.2:1, 10.0.0.1:2',
    200,
  ],
])(
  'forwarded addresses %s (TRUST_PROXY=%j): after %s, a request for %s gets a %i',
  async (_what, trustProxy, one, other, second) => {
    await using site = await buildTestApp({ limit: 1, trustProxy })
    const statuses: number[] = []
    for (const address of [one, other]) {
      const [client = ''] = address.split(',')
      // No proxy is trusted to set the other headers.
      const { status } = await postContact(site.app, sampleRequest({ message: address }), {
        'X-Forwarded-For': address,
        'X-Real-IP': client,
        'X-Client-IP': client,
        'CF-Connecting-IP': client,
        'True-Client-IP': client,
        Forwarded: `for="${client}"`,
      })
      statuses.push(status)
    }
    expect(statuses).toEqual([200, second])
  },
)

test.each([
  [0, 1],
  [['10.0.0.0/8'], 1],
  [1, 0],
])('with TRUST_PROXY=%j, a proxy on this machine is reported %i times', async (trustProxy, times) => {
  await using site = await buildTestApp({ trustProxy })
  for (const address of ['1.1.1.1', '2.2.2.2'])
    await postContact(site.app, sampleRequest({ message: address }), { 'X-Forwarded-For': address })

  expect(site.logLines.filter((line) => line.includes('a proxy is not in TRUST_PROXY'))).toHaveLength(times)
})
