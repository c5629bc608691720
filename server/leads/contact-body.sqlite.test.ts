import request from 'supertest'
import { expect, test } from 'vitest'
import { contactPath } from '#shared/contact-request.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { contactTools, exchange, postForm } from '../proof/testing/contact.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

const site = useTestApp()
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

test('a body over 16 KiB gets a 413 before it is uploaded, and the connection is closed', async () => {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': 50 * 1024 * 1024 }

  const response = await exchange(site.app, { method: 'POST', path: contactPath, headers }, ['{'], false)

  expect([response.status, response.headers.connection]).toEqual([413, 'close'])
})

test('a message of the maximum length is accepted in any script, as JSON and as a form', async () => {
  const text = (length: number) => '漢'.repeat(length)
  const longest = sampleRequest({ firstName: text(100), message: text(5000) })

  await post(longest).expect(200)
  await postForm(site.app, { ...longest, lastName: 'B' }).expect(303)
})
