import type { RequestListener } from 'node:http'
import { sql } from 'kysely'
import request from 'supertest'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { contactPath, formTokenField, formTokenPath, trapField } from '#shared/contact-request.ts'
import { buildTestApp } from '../proof/testing/build-test-app.ts'
import { exchange } from '../proof/testing/exchange.ts'
import { isOnPostgres } from '../proof/testing/open-test-database.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { createAcceptedRequests } from './accepted-requests.ts'

let site: Awaited<ReturnType<typeof buildTestApp>>
beforeEach(async () => {
  site = await buildTestApp()
})
afterEach(() => site[Symbol.asyncDispose]())

const post = (
  body: object | string = sampleRequest(),
  headers: Record<string, string> = {},
  app: RequestListener = site.app,
) => request(app).post(contactPath).set('Content-Type', 'application/json').set(headers).send(body)
const leads = () => site.db.selectFrom('leads').selectAll().orderBy('id').execute()
const mails = () => site.db.selectFrom('outbox').selectAll().execute()

test('a complete request is stored with its mail and answered with a reference', async () => {
  const response = await post().expect(200)

  expect(response.body).toEqual({
    success: true,
    reference: expect.stringMatching(/^Q-[0-9A-Z]{4}-[0-9A-Z]{4}$/),
  })
  const [lead] = await leads()
  expect(lead).toMatchObject({
    reference: response.body.reference,
    first_name: 'Ada',
    budget: 'professional',
  })
  expect(lead?.message).toBe('We need a new site.\nWhen can you start?')
  expect(await mails()).toMatchObject([
    { lead_id: lead?.id, state: 'queued', recipient: 'owner@plumbline.example' },
  ])
})

test('the four required fields are enough, and unknown fields are dropped', async () => {
  const { firstName, lastName, email, message } = sampleRequest()

  await post({ firstName, lastName, email, message, isAdmin: true }).expect(200)

  expect(await leads()).toMatchObject([{ phone: '', company: '', website: '', budget: '' }])
})

test('each recipient gets an envelope of its own', async () => {
  await using several = await buildTestApp({ mailTo: ['a@plumbline.example', 'b@plumbline.example'] })

  await post(sampleRequest(), {}, several.app).expect(200)

  const rows = await several.db.selectFrom('outbox').select(['recipient', 'message_id']).execute()
  expect(rows.map((row) => row.recipient)).toEqual(['a@plumbline.example', 'b@plumbline.example'])
  expect(new Set(rows.map((row) => row.message_id)).size).toBe(2)
})

test('invalid input is a 400 that names every field at fault, in the order of the form', async () => {
  const response = await post({
    firstName: ' ',
    email: 'nobody',
    budget: 'huge',
    website: 'ftp://x.example',
  }).expect(400)

  expect(response.type).toBe('application/problem+json')
  expect(response.body).toMatchObject({ type: 'about:blank', title: 'Bad Request', status: 400 })
  const fields = response.body.errors.map((error: { field: string }) => error.field)
  expect(fields).toEqual(['firstName', 'lastName', 'email', 'website', 'budget', 'message'])
  expect(response.body.errors[2].message).toBe('Please enter an email address like name@example.com.')
  expect(await leads()).toEqual([])
})

test.each([
  ['not JSON at all', '{"firstName":'],
  ['an array', '[]'],
  ['null', 'null'],
  ['a number where text belongs', JSON.stringify({ ...sampleRequest(), phone: 5 })],
  ['a control character', JSON.stringify(sampleRequest({ message: 'a\u0007b' }))],
  ['a lone surrogate', JSON.stringify(sampleRequest({ firstName: '\ud800' }))],
  ['a line break in a name', JSON.stringify(sampleRequest({ firstName: 'Ada\nBcc: x@example.com' }))],
  ['nothing', ''],
])('%s is a 400', async (_name, body) => {
  const response = await post(body).expect(400)

  expect(response.type).toBe('application/problem+json')
})

test('invalid UTF-8 is a 400', async () => {
  const body = Buffer.concat([Buffer.from('{"firstName":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])

  const response = await request(site.app)
    .post(contactPath)
    .type('application/json')
    .serialize(String)
    .send(body)

  expect(response.status).toBe(400)
})

test.each([
  { 'Content-Type': 'text/plain' },
  { 'Content-Type': 'application/json; charset=utf-16' },
  { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
])('the content type %o is a 415', async (headers) => {
  const response = await post(JSON.stringify(sampleRequest()), headers).expect(415)

  expect(response.body.status).toBe(415)
})

test('a form in another charset than UTF-8 is refused, a stray percent sign is not', async () => {
  const send = (message: string) =>
    request(site.app)
      .post(contactPath)
      .type('form')
      .send(`firstName=A&lastName=B&email=a%40b.example&message=${message}`)

  expect([(await send('caf%e9')).status, (await send('caf%c3%a9 at 100% off %e2%82%ac')).status]).toEqual([
    400, 303,
  ])
})

test('another method is a 405 that says which one is taken', async () => {
  for (const method of ['get', 'put', 'delete', 'patch'] as const) {
    const response = await request(site.app)[method](contactPath).expect(405)
    expect(response.headers.allow).toBe('POST, OPTIONS')
  }
})

test('without a content type the answer is a 415', async () => {
  const response = await exchange(site.app, { method: 'POST', path: contactPath }, ['{}'])

  expect(response.status).toBe(415)
})

test('a body over 16 KiB is a 413 that comes before the upload and ends the connection', async () => {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': 50 * 1024 * 1024 }

  const response = await exchange(site.app, { method: 'POST', path: contactPath, headers }, ['{'], false)

  expect([response.status, response.headers.connection]).toEqual([413, 'close'])
})

test('a chunked body is counted while it arrives, whether or not it ends', async () => {
  const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
  const chunks = Array<string>(20).fill('x'.repeat(1024))

  const response = await exchange(site.app, { method: 'POST', path: contactPath, headers }, chunks, false)

  expect([response.status, response.headers.connection]).toEqual([413, 'close'])
})

test('a body in crumbs is refused, one in many small pieces is not', async () => {
  const headers = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
  const send = (chunks: string[]) =>
    exchange(site.app, { method: 'POST', path: contactPath, headers }, chunks, false)
  const body = JSON.stringify(sampleRequest({ message: 'x'.repeat(5000) }))

  const refused = await send([...body])
  const taken = await exchange(
    site.app,
    { method: 'POST', path: contactPath, headers },
    body.match(/.{1,20}/g) ?? [],
  )

  expect([refused.status, refused.headers.connection]).toEqual([400, 'close'])
  expect(taken.status).toBe(200)
})

test('a message of full length is taken in any script, as JSON and as a form', async () => {
  const text = (length: number) => '漢'.repeat(length)
  const longest = sampleRequest({ firstName: text(100), message: text(5000) })

  await post(longest).expect(200)
  await request(site.app)
    .post(contactPath)
    .type('form')
    .send({ ...longest, lastName: 'B' })
    .expect(303)
})

test('the same key and content is answered again, with one lead and one mail', async () => {
  const key = { 'Idempotency-Key': 'a key' }
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(sampleRequest(), key)))

  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(19)
  expect([await leads(), await mails()].map((rows) => rows.length)).toEqual([1, 1])
})

test('a new key is a new lead, even with the same content', async () => {
  await post(sampleRequest(), { 'Idempotency-Key': 'one' }).expect(200)
  await post(sampleRequest(), { 'Idempotency-Key': 'two' }).expect(200)

  expect(await leads()).toHaveLength(2)
})

test('a key that comes back with other content is a 422', async () => {
  await post(sampleRequest(), { 'Idempotency-Key': 'one' }).expect(200)

  await post(sampleRequest({ message: 'Something else' }), { 'Idempotency-Key': 'one' }).expect(422)

  expect(await leads()).toHaveLength(1)
})

test.each([
  ['empty', ''],
  ['too long', 'x'.repeat(256)],
  ['not ASCII', 'schlüssel'],
])('a key that is %s is a 400', async (_name, key) => {
  await post(sampleRequest(), { 'Idempotency-Key': key }).expect(400)
})

test('a refused request does not use up its key', async () => {
  await post(sampleRequest({ email: 'wrong' }), { 'Idempotency-Key': 'one' }).expect(400)

  await post(sampleRequest(), { 'Idempotency-Key': 'one' }).expect(200)
})

test('without a key the same content is one lead for ten minutes', async () => {
  const keyed = await post(sampleRequest(), { 'Idempotency-Key': 'one' })
  site.clock.now = new Date(site.clock.now.getTime() + 9 * 60_000)
  const copy = await post().expect(200)
  site.clock.now = new Date(site.clock.now.getTime() + 2 * 60_000)
  const later = await post().expect(200)

  expect(copy.body.reference).toBe(keyed.body.reference)
  expect(copy.headers['idempotency-replayed']).toBeUndefined()
  expect(later.body.reference).not.toBe(keyed.body.reference)
})

test('beyond the limit a client gets a 429 with the time to wait, and its replays still work', async () => {
  await using limited = await buildTestApp({ limit: 2, windowSeconds: 600 })
  const send = (message: string) =>
    post(sampleRequest({ message }), { 'Idempotency-Key': message }, limited.app)
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
  limited.clock.now = new Date(limited.clock.now.getTime() + 601_000)
  expect((await send('3')).status).toBe(200)
})

test('rejected requests have a budget of ten times as many, spent before the body is read', async () => {
  await using limited = await buildTestApp({ limit: 1 })
  const statuses: number[] = []
  for (let count = 0; count < 11; count++) statuses.push((await post('{', {}, limited.app)).status)

  expect(statuses).toEqual([...Array(10).fill(400), 429])
  const upload = await post('x'.repeat(20_000), {}, limited.app)
  expect([upload.status, upload.headers.ratelimit]).toEqual([429, '"contact";r=1;t=600'])
})

test('a client that is refused again and again costs no more queries', async () => {
  await using limited = await buildTestApp({ limit: 1 })
  await post(sampleRequest(), {}, limited.app).expect(200)
  const flood = () => post('{', {}, limited.app)
  for (let count = 0; count < 10; count++) await flood().expect(400)
  await flood().expect(429)

  await limited.db.schema.dropTable('accepted_requests').execute()
  const refused = await flood().expect(429)

  expect(refused.headers.ratelimit).toBe('"contact";r=0;t=600')
})

test('accepted requests do not draw on the budget of rejected ones', async () => {
  await using limited = await buildTestApp({ limit: 20 })
  for (let count = 0; count < 20; count++)
    await post(sampleRequest({ message: `${count}` }), {}, limited.app).expect(200)
  const statuses = new Set<number>()
  for (let count = 0; count < 200; count++) statuses.add((await post('{', {}, limited.app)).status)

  expect([...statuses]).toEqual([400])
})

test('forged forwarding headers do not make another client', async () => {
  await using limited = await buildTestApp({ limit: 1 })
  const send = (message: string, address: string) =>
    post(sampleRequest({ message }), { 'X-Forwarded-For': address }, limited.app)

  expect([(await send('1', '1.1.1.1')).status, (await send('2', '2.2.2.2')).status]).toEqual([200, 429])
})

test('behind a trusted proxy each visitor is a client', async () => {
  await using limited = await buildTestApp({ limit: 1, trustProxy: 1 })
  const send = (message: string, address: string) =>
    post(sampleRequest({ message }), { 'X-Forwarded-For': address }, limited.app)

  expect([(await send('1', '1.1.1.1')).status, (await send('2', '2.2.2.2')).status]).toEqual([200, 200])
})

test.each([
  ['1.1.1.1:50001', '1.1.1.1:50002'],
  ['[2001:db8::1]:50001', '[2001:db8::1]:50002'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['9.9.9.9:1, 1.1.1.1:50001', '8.8.8.8:1,1.1.1.1:50002'],
  ['unknown:1, 1.1.1.1', 'unknown:2, 1.1.1.1'],
])('a proxy that writes a port beside the address makes no other client: %s and %s', async (one, other) => {
  await using limited = await buildTestApp({ limit: 1, trustProxy: 1 })
  const send = (message: string, address: string) =>
    post(sampleRequest({ message }), { 'X-Forwarded-For': address }, limited.app)

  expect([(await send('1', one)).status, (await send('2', other)).status]).toEqual([200, 429])
})

test('a trusted proxy that is listed with a port is still trusted', async () => {
  await using limited = await buildTestApp({ limit: 1, trustProxy: ['127.0.0.0/8', '::1', '10.0.0.0/8'] })
  const send = (message: string, address: string) =>
    post(sampleRequest({ message }), { 'X-Forwarded-For': `${address}:1, 10.0.0.1:2` }, limited.app)

  expect([(await send('1', '1.1.1.1')).status, (await send('2', '2.2.2.2')).status]).toEqual([200, 200])
})

test.each([
  [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' }, 200],
  [{ 'Sec-Fetch-Site': 'none' }, 200],
  [{ 'Sec-Fetch-Site': 'cross-site', Origin: 'https://plumbline.example' }, 403],
  [{ 'Sec-Fetch-Site': 'same-site', Origin: 'https://shop.plumbline.example' }, 403],
  [{ Origin: 'https://plumbline.example' }, 200],
  [{ Origin: 'https://site.example', Host: 'site.example' }, 200],
  [{ Origin: 'http://site.example:81', Host: 'site.example:81' }, 200],
  [{ Origin: 'https://evil.example' }, 403],
  [{ Origin: 'null' }, 403],
  [{ Origin: 'null', Host: '' }, 403],
])('a request with %o is answered with %i', async (headers, status) => {
  await post(sampleRequest(), headers as Record<string, string>).expect(status)
})

test("a foreign page spends nobody's budget and costs no query", async () => {
  await using limited = await buildTestApp({ limit: 1 })
  const foreign = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
  const statuses: number[] = []
  for (let count = 0; count < 12; count++)
    statuses.push((await post(sampleRequest(), foreign, limited.app)).status)
  await post(sampleRequest(), {}, limited.app).expect(200)

  await limited.db.schema.dropTable('accepted_requests').execute()
  const { headers } = await post(sampleRequest(), foreign, limited.app).expect(403)

  expect(statuses).toEqual(Array(12).fill(403))
  expect(headers.ratelimit).toBe('"contact";r=1;t=600')
})

test('an allowed origin may call, read the answer and read errors', async () => {
  await using open = await buildTestApp({ allowedOrigins: ['https://partner.example'] })
  const from = { Origin: 'https://partner.example', 'Sec-Fetch-Site': 'cross-site' }

  const stored = await post(sampleRequest(), from, open.app).expect(200)
  const refused = await post({}, from, open.app).expect(400)

  for (const { headers } of [stored, refused]) {
    expect(headers['access-control-allow-origin']).toBe('https://partner.example')
    expect(headers['access-control-expose-headers']).toContain('Retry-After')
    expect(headers.vary).toContain('Origin')
  }
  await post(sampleRequest(), { ...from, Origin: 'https://other.example' }, open.app).expect(403)
})

test('a preflight is answered with CORS headers for an allowed origin only', async () => {
  await using open = await buildTestApp({ allowedOrigins: ['https://partner.example'] })
  const ask = (origin: string) => request(open.app).options(contactPath).set('Origin', origin).expect(204)

  const allowed = await ask('https://partner.example')
  const foreign = await ask('https://evil.example')

  for (const header of ['apikey', 'authorization', 'x-client-info', 'content-type', 'idempotency-key'])
    expect(allowed.headers['access-control-allow-headers']).toContain(header)
  expect(Object.keys(foreign.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})

test.skipIf(isOnPostgres)(
  'a full disk is a 503 that asks to try again and heals by itself, and its reason is in the log',
  async () => {
    await sql`pragma max_page_count = 1`.execute(site.db)
    const messages = Array.from({ length: 30 }, (_, count) => `${count} ${'x'.repeat(4000)}`)
    const answers: request.Response[] = []
    for (const message of messages) answers.push(await post(sampleRequest({ message })))

    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(0)
    expect(await leads()).toHaveLength(answers.length - refused.length)
    expect(refused[0]?.status).toBe(503)
    expect(refused[0]?.headers['retry-after']).toBe('5')
    expect(refused[0]?.body.detail).toBe(
      'We could not store your request just now. Please try again in a moment.',
    )
    expect(site.logLines.join('')).toContain('"code":"SQLITE_FULL"')
    await sql`pragma max_page_count = 1000000`.execute(site.db)
    await post(sampleRequest({ message: 'again' })).expect(200)
  },
)

test.skipIf(isOnPostgres)(
  'while another program holds the database the answer is a 503, and afterwards a 200',
  async () => {
    const { default: Sqlite } = await import('better-sqlite3')
    const foreign = new Sqlite(`${site.dataDir}/leads.db`)
    foreign.exec('BEGIN IMMEDIATE')

    await post().expect(503)
    foreign.exec('ROLLBACK')
    foreign.close()

    await post().expect(200)
    expect(await leads()).toHaveLength(1)
  },
)

test.runIf(isOnPostgres)(
  'a database that could not store is not asked for an allowance as well',
  async () => {
    await using limited = await buildTestApp({ limit: 5 })
    await post(sampleRequest(), {}, limited.app).expect(200)
    await sql`create function fill_disk() returns trigger language plpgsql as $$ begin
      raise exception 'disk full' using errcode = '53100'; end $$`.execute(limited.db)
    await sql`create trigger full_disk before insert on outbox for each row execute function fill_disk()`.execute(
      limited.db,
    )

    const { headers } = await post(sampleRequest({ message: 'again' }), {}, limited.app).expect(503)

    // As before the first request, for it does not know better.
    expect(headers.ratelimit).toBe('"contact";r=5;t=600')
  },
)

test('lead and mail are stored together or not at all', async () => {
  await site.db.schema.dropView('lead_overview').execute()
  await site.db.schema.dropTable('outbox_attempts').execute()
  await site.db.schema.dropTable('outbox').execute()

  await post().expect(500)

  expect(await leads()).toEqual([])
})

test('what failed through our own fault draws on no budget', async () => {
  await using limited = await buildTestApp({ limit: 1 })
  await limited.db.schema.dropView('lead_overview').execute()
  await limited.db.schema.alterTable('leads').renameTo('gone').execute()
  for (let count = 0; count < 11; count++) await post(sampleRequest(), {}, limited.app).expect(500)
  await limited.db.schema.alterTable('gone').renameTo('leads').execute()

  await post(sampleRequest(), {}, limited.app).expect(200)
})

test('what is older than the window is forgotten', async () => {
  await post(sampleRequest({ message: '1' })).expect(200)
  site.clock.now = new Date(site.clock.now.getTime() + 601_000)
  await post(sampleRequest({ message: '2' })).expect(200)

  await createAcceptedRequests(site.db, { limit: 1, windowSeconds: 600 }).prune(site.clock.now)

  expect(await site.db.selectFrom('accepted_requests').selectAll().execute()).toHaveLength(1)
})

test('a clock that is set back neither refuses a client nor takes a new request for an old one', async () => {
  await using limited = await buildTestApp({ limit: 1 })
  const first = await post(sampleRequest(), {}, limited.app).expect(200)
  limited.clock.now = new Date(limited.clock.now.getTime() - 24 * 3600_000)

  const second = await post(sampleRequest(), {}, limited.app).expect(200)

  expect(second.body.reference).not.toBe(first.body.reference)
})

test.runIf(isOnPostgres)(
  'a copy whose clock is behind deletes nothing that another has counted',
  async () => {
    await post().expect(200)
    const behind = new Date(site.clock.now.getTime() - 10_000)

    await createAcceptedRequests(site.db, { limit: 1, windowSeconds: 600 }).prune(behind)

    expect(await site.db.selectFrom('accepted_requests').selectAll().execute()).toHaveLength(1)
  },
)

test('a clock that is a second behind that of another copy counts what the other has accepted', async () => {
  await using limited = await buildTestApp({ limit: 1 })
  const first = await post(sampleRequest(), {}, limited.app).expect(200)
  limited.clock.now = new Date(limited.clock.now.getTime() - 1000)

  const again = await post(sampleRequest(), {}, limited.app).expect(200)
  await post(sampleRequest({ message: 'another' }), {}, limited.app).expect(429)

  expect(again.body.reference).toBe(first.body.reference)
})

test('an error of our own is a 500 without any detail of the program', async () => {
  vi.spyOn(site.db, 'transaction').mockImplementation(() => {
    throw new TypeError('secret internals at /srv/app/main.ts')
  })

  const response = await post().expect(500)

  expect(response.text).not.toMatch(/secret|srv|TypeError/)
})

test('the form without JavaScript is stored and led to the confirmation', async () => {
  const response = await request(site.app).post(contactPath).type('form').send(sampleRequest()).expect(303)

  const [{ reference } = { reference: '' }] = await leads()
  expect(response.headers.location).toBe(`/?sent=${reference}#sent`)
  expect(await leads()).toMatchObject([
    { first_name: 'Ada', message: 'We need a new site.\nWhen can you start?' },
  ])
})

test('the form without JavaScript is refused as a page that keeps what was typed', async () => {
  const wrong = sampleRequest({ email: 'nobody', message: '<script>alert("hi")</script>' })

  const response = await request(site.app).post(contactPath).type('form').send(wrong).expect(400)

  expect(response.type).toBe('text/html')
  expect(response.text).toContain('Please enter an email address like name@example.com.')
  expect(response.text).toContain('value="nobody"')
  expect(response.text).toContain('&lt;script&gt;alert(&quot;hi&quot;)&lt;/script&gt;')
  expect(response.text).toContain('<option value="professional" selected>')
})

test('every answer to a POST carries the rate limit and the security headers, and is kept by no cache', async () => {
  const key = { 'Idempotency-Key': 'one' }
  const answers = [
    await post(sampleRequest(), key),
    await post(sampleRequest(), key),
    await post({}),
    await post(sampleRequest(), { Origin: 'https://evil.example' }),
    await post('x'.repeat(20_000)),
    await post('x', { 'Content-Type': 'text/plain' }),
    await post(sampleRequest({ message: 'other' }), key),
    await request(site.app).post(contactPath).type('form').send(sampleRequest()),
  ]

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 403, 413, 415, 422, 303])
  for (const { headers } of answers) {
    expect(headers.ratelimit).toMatch(/^"contact";r=\d+;t=\d+$/)
    expect(headers['ratelimit-policy']).toBe('"contact";q=1000;w=600')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['x-powered-by']).toBeUndefined()
  }
})

test('nothing that a visitor typed reaches the log', async () => {
  const canary = sampleRequest({ firstName: 'Canary1', email: 'canary2@example.com', message: 'canary3' })
  const headers = { Authorization: 'Bearer canary4', apikey: 'canary5', 'Idempotency-Key': 'canary11' }
  await post(canary, headers).expect(200)
  await post({ ...canary, budget: 'canary6' }).expect(400)
  await post('{"canary7": canary8').expect(400)
  await request(site.app).get('/canary9?email=canary10').expect(404)

  expect(site.logLines.length).toBeGreaterThanOrEqual(4)
  expect(site.logLines.join('')).not.toMatch(/canary|127\.0\.0\.1/i)
})

const issueToken = async () => (await request(site.app).get(formTokenPath).expect(200)).text
const turnClock = (ms: number) => {
  site.clock.now = new Date(site.clock.now.getTime() + ms)
}
const verdicts = async () => (await leads()).map((lead) => [lead.spam_score, lead.spam_reasons])

test('the time token is fresh for everybody and kept by no cache', async () => {
  const first = await request(site.app).get(formTokenPath).expect(200)
  turnClock(1)

  expect(await issueToken()).not.toBe(first.text)
  expect(first.headers['cache-control']).toBe('no-store')
  expect(first.headers['set-cookie']).toBeUndefined()
})

test('a suspect is stored with its reasons and its mail, and answered like anybody', async () => {
  const clues = { [formTokenField]: await issueToken(), [trapField]: 'x' }

  const suspect = await post({ ...sampleRequest(), ...clues }).expect(200)

  const honest = await post(sampleRequest({ message: 'Something else' })).expect(200)
  const shape = ({ body, headers }: request.Response) => [Object.keys(body), Object.keys(headers)]
  expect(shape(suspect)).toEqual(shape(honest))
  expect((await verdicts())[0]).toEqual([10, expect.stringMatching(/cannot see.*within 2 seconds/)])
  expect(await mails()).toHaveLength(2)
})

test('a person who takes three seconds scores nothing', async () => {
  const token = await issueToken()
  turnClock(3000)

  await post({ ...sampleRequest(), [formTokenField]: token, [trapField]: '' }).expect(200)

  expect(await verdicts()).toEqual([[0, '[]']])
})

test('the form without JavaScript carries the trap too', async () => {
  const form = { ...sampleRequest(), [trapField]: 'x' }
  await request(site.app).post(contactPath).type('form').send(form).expect(303)

  expect((await verdicts())[0]?.[1]).toContain('A field that people cannot see')
})

test('a refused form comes back with its trap and a token, and a person who sends that one scores nothing', async () => {
  const send = (form: object) => request(site.app).post(contactPath).type('form').send(form)
  const refused = await send({ ...sampleRequest({ email: 'nobody' }), [trapField]: '' }).expect(400)
  const filledIn = (name: string) => refused.text.match(`name="${name}" value="([^"]*)"`)?.[1]
  turnClock(3000)

  const clues = { [trapField]: filledIn(trapField), [formTokenField]: filledIn(formTokenField) }
  await send({ ...sampleRequest(), ...clues }).expect(303)

  expect(clues[trapField]).toBe('')
  expect(await verdicts()).toEqual([[0, '[]']])
})

test('what filled the trap is still in it when a refused form comes back', async () => {
  const form = { ...sampleRequest({ email: 'nobody' }), [trapField]: 'by a "program"' }

  const refused = await request(site.app).post(contactPath).type('form').send(form).expect(400)

  expect(refused.text).toContain(`name="${trapField}" value="by a &quot;program&quot;"`)
})

test('trap and token are no part of the content: a copy is one lead and a replay is no conflict', async () => {
  const key = { 'Idempotency-Key': 'one' }
  const first = await post(sampleRequest(), key)
  turnClock(60_000)
  const clues = { [formTokenField]: await issueToken(), [trapField]: 'x' }

  const replay = await post({ ...sampleRequest(), ...clues }, key).expect(200)
  const copy = await post({ ...sampleRequest(), ...clues }).expect(200)

  expect([replay.body, copy.body]).toEqual([first.body, first.body])
  expect(await leads()).toHaveLength(1)
})

test.each([
  ['a list', ['x']],
  ['a number', 7],
  ['an object', {}],
])('a trap or token that is %s is no error', async (_name, value) => {
  await post({ ...sampleRequest(), [trapField]: value, [formTokenField]: value }).expect(200)
})

test('the same long message from other addresses counts for a week, a short one never', async () => {
  const long = 'We would be glad to have a new site for the shop.'
  let sent = 0
  const send = (message: string, name: string) =>
    post(sampleRequest({ message, email: `${name}@example.com` }), { 'Idempotency-Key': `${++sent}` })
  for (const name of ['a', 'b', 'b']) await send(long, name)
  await send('Please call.', 'a')
  await send('Please call.', 'b')
  turnClock(8 * 24 * 3600_000)
  await send(long, 'c')

  const found = (await verdicts()).map(([, reasons]) => /other senders.*?(\d)/i.exec(String(reasons))?.[1])
  expect(found).toEqual([undefined, '1', '1', undefined, undefined, undefined])
})
