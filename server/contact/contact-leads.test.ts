import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type request from 'supertest'
import { expect, test } from 'vitest'
import { formTokenField, honeypotField } from '#shared/contact-request.ts'
import { forgetClients } from '../leads/erase/retention.ts'
import { buildTestApp, isOnPostgres, testOnce, useTestApp } from '../proof/testing/build-test-app.ts'
import { contactTools, postContact, postForm } from '../proof/testing/contact.ts'
import { samplePlan } from '../proof/testing/sample-plan.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

const site = useTestApp()

const { post, leads, emails, issueToken, verdicts } = contactTools(site)

test('a complete request is stored, a notice about it is queued, and the response and the log have a reference', async () => {
  const response = await post().expect(200)

  expect(response.headers['cache-control']).toBe('no-store')
  expect(response.body).toEqual({
    success: true,
    reference: expect.stringMatching(/^Q-[0-9A-Z]{4}-[0-9A-Z]{4}$/),
  })
  const [lead] = await leads()
  expect(lead).toMatchObject({
    reference: response.body.reference,
    first_name: 'Ada',
    budget: samplePlan.id,
  })
  await expect.poll(() => site.logLines.join()).toContain(response.body.reference)
  expect(lead?.message).toBe('We need a new site.\nWhen can you start?')
  expect(lead?.sort_key).toBe(lead?.due_at)
  expect(await emails()).toMatchObject([
    {
      lead_id: lead?.id,
      state: 'queued',
      recipient: 'owner@agency.example',
      // A visitor who knows the lead's ID, from a receipt, can't imitate the notice.
      message_id: expect.stringMatching(/\.[\da-f]{24}\.0@/),
    },
  ])
})

test('the lead and its email are stored in one transaction', async () => {
  await site.db.schema.dropTable('outbox_attempts').execute()
  await site.db.schema.dropTable('outbox').execute()

  await post().expect(500)

  expect(await leads()).toEqual([])
})

test.skipIf(isOnPostgres)(
  'while another program locks the database, a request gets a 503, and afterward a 200',
  async () => {
    const foreign = new Sqlite(join(site.dataDir, 'leads.db'))
    foreign.exec('BEGIN IMMEDIATE')

    const refused = await post().expect(503)
    foreign.close()

    expect(refused.headers['retry-after']).toBe('5')
    expect(refused.body.detail).toMatch(/^We could not reach our database/)
    await post().expect(200)
  },
)

test('requests with the same key and content get the same response, and store one lead and one email', async () => {
  const key = { 'Idempotency-Key': 'a key' }
  const responses = await Promise.all(Array.from({ length: 20 }, () => post(sampleRequest(), key)))

  expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(responses.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(19)
  expect([await leads(), await emails()].map((rows) => rows.length)).toEqual([1, 1])
})

test('a key that came with different content gets a 422 for a day, until the client is forgotten; with the same content, the first response for good', async () => {
  const send = async (message: string) =>
    post(
      { ...sampleRequest({ message }), [formTokenField]: await issueToken() },
      { 'Idempotency-Key': 'one' },
    )
  const first = await send('1')
  expect((await send('2')).status).toBe(422)
  expect(await leads()).toHaveLength(1)

  site.advanceClock(24 * 3600_000 + 1000)
  expect((await send('2')).status).toBe(200)
  await forgetClients(site.db, site.clock.now)
  expect((await leads()).map(({ client, form_token }) => [client, form_token])).toEqual([
    [null, null],
    [expect.any(String), expect.any(String)],
  ])
  expect((await send('1')).body).toEqual(first.body)
})

test("a stranger who guesses a visitor's key does not block the visitor's request", async () => {
  const submit = (client: string, message: string) =>
    site.submitLead(sampleRequest({ message }), { client, idempotencyKey: 'one' })
  const stranger = await submit('a stranger', 'Anything')
  const visitor = await submit('a visitor', 'A real request')
  const replayElsewhere = await submit('the visitor, in another network', 'A real request')

  expect([stranger.outcome, visitor.outcome, replayElsewhere.outcome]).toEqual([
    'accepted',
    'accepted',
    'replayed',
  ])
  expect(replayElsewhere.reference).toBe(visitor.reference)
  expect(await leads()).toHaveLength(2)
})

test.each([
  ['empty', ''],
  ['too long', 'x'.repeat(256)],
  ['not ASCII', 'schlüssel'],
])('a key that is %s gets a 400', async (_name, key) => {
  await post(sampleRequest(), { 'Idempotency-Key': key }).expect(400)
})

test('without a key, the same content creates only one lead in ten minutes', async () => {
  const keyed = await post(sampleRequest(), { 'Idempotency-Key': 'one' })
  site.advanceClock(9 * 60_000)
  const duplicate = await post().expect(200)
  site.advanceClock(2 * 60_000)
  const later = await post().expect(200)

  expect(duplicate.body.reference).toBe(keyed.body.reference)
  expect(duplicate.headers['idempotency-replayed']).toBeUndefined()
  expect(later.body.reference).not.toBe(keyed.body.reference)

  // The same person may ask for the same again.
  site.advanceClock(11 * 60_000)
  const again = await post(sampleRequest(), { 'Idempotency-Key': 'two' }).expect(200)
  expect([keyed.body.reference, later.body.reference]).not.toContain(again.body.reference)
})

test('a request that is sent again with a key, because the page had not loaded its script before, is one lead', async () => {
  const request = sampleRequest({ message: 'We need a site.\nSoon.' })
  const plain = await postForm(site.app, { ...request, message: request.message.replace('\n', '\r\n') })
  const keyed = await post(request, { 'Idempotency-Key': 'one' }).expect(200)

  expect(plain.headers.location).toContain(keyed.body.reference)
  expect(await leads()).toHaveLength(1)
})

test('duplicates and replays are recognized even if the honeypot, token and source differ', async () => {
  const key = { 'Idempotency-Key': 'one' }
  const first = await post(sampleRequest(), key)
  site.advanceClock(60_000)
  const source = { landing: '/elsewhere' }
  const clues = { [formTokenField]: await issueToken(), [honeypotField]: 'x', source }

  const replay = await post({ ...sampleRequest(), ...clues }, key).expect(200)
  const duplicate = await post({ ...sampleRequest(), ...clues }).expect(200)

  expect([replay.body, duplicate.body]).toEqual([first.body, first.body])
  expect(await leads()).toHaveLength(1)
})

test('suspected spam is stored with the reasons, a notice about it is queued, and the response is the usual one', async () => {
  const clues = { [formTokenField]: await issueToken(), [honeypotField]: 'x' }

  const suspect = await post({ ...sampleRequest(), ...clues }).expect(200)

  const unfilled = { ...sampleRequest({ message: 'Something else' }), [honeypotField]: '' }
  const honest = await post(unfilled).expect(200)
  const shape = ({ body, headers }: request.Response) => [Object.keys(body), Object.keys(headers)]
  expect(shape(suspect)).toEqual(shape(honest))
  const unseen = 'cannot see'
  expect(await verdicts()).toEqual([
    [10, expect.stringMatching(RegExp(`${unseen}.*within 2 seconds`))],
    [1, expect.not.stringContaining(unseen)],
  ])
  expect(await emails()).toHaveLength(2)
})

test('a form token is good for one lead, even if both arrive at once', async () => {
  const token = await issueToken()
  site.advanceClock(60_000)
  const send = (name: string) =>
    post({ ...sampleRequest({ firstName: name }), [formTokenField]: token }).expect(200)

  await Promise.all([send('Ada'), send('Grace')])
  await send('Mary')

  expect((await verdicts()).map(([score]) => score).toSorted()).toEqual([0, 1, 1])
})

test('a long message from several senders counts as repeated for a week, but a short one never does', async () => {
  const long = 'We would be glad to have a new site for the shop.'
  let sent = 0
  const send = (message: string, name: string) =>
    post(sampleRequest({ message, email: `${name}@example.com` }), { 'Idempotency-Key': `${++sent}` })
  for (const name of ['x', 'y', 'z']) await send(`This is quite another long message, from ${name}.`, name)
  for (const name of ['a', 'A']) await send(long, name)
  site.advanceClock(6 * 24 * 3600_000)
  await send(long, 'b')
  await send('Please call.', 'a')
  await send('Please call.', 'b')
  site.advanceClock(8 * 24 * 3600_000)
  await send(long, 'c')

  const found = (await verdicts()).map(([, reasons]) => /other senders.*?(\d)/i.exec(String(reasons))?.[1])
  expect(found).toEqual([...Array(5), '1', ...Array(3)])
})

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
  await send('4')
  expect((await send('5')).headers['retry-after']).toBe('600')
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
  expect(refused.body.detail).toContain('Please try again in 24 hours')
  limited.advanceClock((24 * 3600 - 3000) * 1000)
  await send('too many').expect(200)
})

testOnce(
  'the limit on duplicates and rejected requests is ten times the limit on accepted ones, and is checked before the body is read',
  async () => {
    await using limited = await buildTestApp({ limit: 1 })
    const statuses: number[] = []
    for (let count = 0; count < 6; count++) statuses.push((await postContact(limited.app)).status)
    for (let count = 0; count < 6; count++) statuses.push((await postContact(limited.app, '{')).status)

    // The first request was accepted, so it doesn't count.
    expect(statuses).toEqual([...Array(6).fill(200), ...Array(5).fill(400), 429])
    const upload = await postContact(limited.app, 'x'.repeat(20_000))
    expect([upload.status, upload.headers['retry-after']]).toEqual([
      429,
      expect.stringMatching(/^(600|59.)$/),
    ])
  },
)

test('setting the clock back by a minute neither blocks a client nor turns a new request into a duplicate, but by a second it does', async () => {
  await using limited = await buildTestApp({ limit: 1 })
  const first = await postContact(limited.app).expect(200)

  limited.advanceClock(-1_000)
  await postContact(limited.app, sampleRequest({ message: 'Another' })).expect(429)
  expect((await postContact(limited.app).expect(200)).body).toEqual(first.body)
  limited.advanceClock(-60_000)
  const second = await postContact(limited.app).expect(200)

  expect(second.body.reference).not.toBe(first.body.reference)
})
