import { expect, test } from 'vitest'
import { buildTestApp, useTestApp } from '../proof/testing/build-test-app.ts'
import { contactTools } from '../proof/testing/contact-tools.ts'
import { isOnPostgres, testOnce } from '../proof/testing/open-test-database.ts'
import { postContact } from '../proof/testing/post-contact.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { createAcceptedRequests } from './accepted-requests.ts'

const site = useTestApp()
const { post } = contactTools(site)

test('over the limit, a client gets a 429 with the time to wait, but can still replay requests', async () => {
  await using limited = await buildTestApp({ limit: 2, windowSeconds: 600 })
  const send = (message: string) =>
    postContact(limited.app, sampleRequest({ message }), { 'Idempotency-Key': message })
  const first = await send('1')
  const second = await send('2')

  const refused = await send('3')

  expect([first.headers.ratelimit, second.headers.ratelimit]).toEqual([
    '"contact";r=1;t=600',
    '"contact";r=0;t=600',
  ])
  expect(first.headers['ratelimit-policy']).toBe('"contact";q=2;w=600')
  expect([refused.status, refused.headers['retry-after'], refused.headers.ratelimit]).toEqual([
    429,
    '600',
    '"contact";r=0;t=600',
  ])
  expect((await send('1')).body).toEqual(first.body)
  limited.advanceClock(601_000)
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
    expect([upload.status, upload.headers.ratelimit]).toEqual([429, '"contact";r=1;t=600'])
  },
)

testOnce('repeated 429s need no database queries', async () => {
  await using limited = await buildTestApp({ limit: 1 })
  await postContact(limited.app).expect(200)
  const flood = () => postContact(limited.app, '{')
  for (let count = 0; count < 10; count++) await flood().expect(400)
  await flood().expect(429)

  await limited.db.schema.dropTable('accepted_requests').execute()
  const refused = await flood().expect(429)

  expect(refused.headers.ratelimit).toBe('"contact";r=0;t=600')
})

testOnce('accepted requests do not count against the limit for rejected ones', async () => {
  await using limited = await buildTestApp({ limit: 20 })
  for (let count = 0; count < 20; count++)
    await postContact(limited.app, sampleRequest({ message: `${count}` })).expect(200)
  const statuses = new Set<number>()
  for (let count = 0; count < 200; count++) statuses.add((await postContact(limited.app, '{')).status)

  expect([...statuses]).toEqual([400])
})

test("the rate limiter's records of accepted requests are deleted once they are older than a day", async () => {
  await post(sampleRequest({ message: '1' })).expect(200)
  site.advanceClock(24 * 3600_000 + 1000)
  await post(sampleRequest({ message: '2' })).expect(200)

  await createAcceptedRequests(site.db, { limit: 1, windowSeconds: 600 }).prune(site.clock.now)

  expect(await site.db.selectFrom('accepted_requests').selectAll().execute()).toHaveLength(1)
})

test('setting the clock back neither blocks a client nor turns a new request into a duplicate', async () => {
  await using limited = await buildTestApp({ limit: 1 })
  const first = await postContact(limited.app).expect(200)
  limited.advanceClock(-24 * 3600_000)

  const second = await postContact(limited.app).expect(200)

  expect(second.body.reference).not.toBe(first.body.reference)
})

test.runIf(isOnPostgres)(
  'a replica whose clock is behind does not delete rows of another replica',
  async () => {
    await post().expect(200)
    const behind = new Date(site.clock.now.getTime() - 10_000)

    await createAcceptedRequests(site.db, { limit: 1, windowSeconds: 600 }).prune(behind)

    expect(await site.db.selectFrom('accepted_requests').selectAll().execute()).toHaveLength(1)
  },
)

test('a replica whose clock is a second behind counts the requests that another replica has accepted', async () => {
  await using limited = await buildTestApp({ limit: 1 })
  const first = await postContact(limited.app).expect(200)
  limited.advanceClock(-1000)

  const again = await postContact(limited.app).expect(200)
  await postContact(limited.app, sampleRequest({ message: 'another' })).expect(429)

  expect(again.body.reference).toBe(first.body.reference)
})
