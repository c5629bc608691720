import { expect, test } from 'vitest'
import { formTokenField } from '#shared/contact-request.ts'
import { buildTestApp, testOnce, useTestApp } from '../proof/testing/build-test-app.ts'
import { contactTools, postContact } from '../proof/testing/contact.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { forgetClients } from './retention.ts'

const site = useTestApp()
const { post, leads, issueToken } = contactTools(site)

test('over the limit, a client gets a 429 with the time to wait, but can still replay requests', async () => {
  await using limited = await buildTestApp({ limit: 2, windowSeconds: 600 })
  const send = (message: string) =>
    postContact(limited.app, sampleRequest({ message }), { 'Idempotency-Key': message })
  const first = await send('1')
  await send('2')
  limited.advanceClock(60_000)

  const refused = await send('3')

  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '540'])
  expect(refused.body.detail).toContain('Please try again in 9 minutes')
  expect((await send('1')).body).toEqual(first.body)
  limited.advanceClock(541_000)
  expect((await send('3')).status).toBe(200)
})

test('in a day, a client can send five times as many requests as in one window', async () => {
  await using limited = await buildTestApp({ limit: 1, windowSeconds: 600 })
  const send = (message: string) => postContact(limited.app, sampleRequest({ message }))
  for (let sent = 0; sent < 5; sent++) {
    await send(`${sent}`).expect(200)
    limited.advanceClock(600_000)
  }

  const refused = await send('too many').expect(429)

  expect(refused.headers['retry-after']).toBe(String(24 * 3600 - 3000))
  limited.advanceClock((24 * 3600 - 3000) * 1000)
  await send('too many').expect(200)
})

testOnce(
  'the limit on rejected requests is ten times the limit on accepted ones, and is checked before the body is read',
  async () => {
    await using limited = await buildTestApp({ limit: 1 })
    const statuses: number[] = []
    for (let count = 0; count < 11; count++) statuses.push((await postContact(limited.app, '{')).status)

    expect(statuses).toEqual([...Array(10).fill(400), 429])
    const upload = await postContact(limited.app, 'x'.repeat(20_000))
    expect([upload.status, upload.headers['retry-after']]).toEqual([429, '600'])
  },
)

test('the client and the form token of a lead are forgotten after a day', async () => {
  const send = async (message: string) =>
    post({ ...sampleRequest({ message }), [formTokenField]: await issueToken() }).expect(200)
  await send('1')
  site.advanceClock(24 * 3600_000 + 1000)
  await send('2')

  await forgetClients(site.db, site.clock.now)

  expect((await leads()).map(({ client, form_token }) => [client, form_token])).toEqual([
    [null, null],
    [expect.any(String), expect.any(String)],
  ])
})

test('setting the clock back neither blocks a client nor turns a new request into a duplicate', async () => {
  await using limited = await buildTestApp({ limit: 1 })
  const first = await postContact(limited.app).expect(200)
  limited.advanceClock(-24 * 3600_000)

  const second = await postContact(limited.app).expect(200)

  expect(second.body.reference).not.toBe(first.body.reference)
})
