import request from 'supertest'
import { expect, test } from 'vitest'
import { contactPath } from '#shared/contact-request.ts'
import { buildTestApp, useTestApp } from '../proof/testing/build-test-app.ts'
import { contactTools, postContact } from '../proof/testing/contact.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

const site = useTestApp()
const { post } = contactTools(site)

test.each([
  [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }, 200],
  [{ 'Sec-Fetch-Site': 'none' }, 200],
  [{ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://agency.example' }, 403],
  [{ 'Sec-Fetch-Site': 'same-site', Origin: 'https://shop.agency.example' }, 403],
  [{ Origin: 'https://agency.example' }, 200],
  [{ Origin: 'https://site.example', Host: 'site.example' }, 200],
  [{ Origin: 'http://site.example:81', Host: 'site.example:81' }, 200],
  [{ Origin: 'https://evil.example' }, 403],
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
