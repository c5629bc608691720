import request from 'supertest'
import { beforeAll, expect, test } from 'vitest'
import { type ContactField, contactFields, contactPath, contactSchema } from '#shared/contact-request.ts'
import { buildTestApp, testOnce } from '../proof/testing/build-test-app.ts'
import { serve } from '../proof/testing/contact.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { naughtyStrings } from '../proof/testing/vectors.ts'

let site: Awaited<ReturnType<typeof buildTestApp>>
let server: string
beforeAll(async () => {
  site = await buildTestApp({ limit: 1_000_000, trustProxy: 1 })
  // Without this server, supertest would start one for each request.
  const served = await serve(site.app)
  server = served.url
  return async () => {
    served[Symbol.dispose]()
    await site[Symbol.asyncDispose]()
  }
})

const send = (field: ContactField, value: string) =>
  request(server)
    .post(contactPath)
    .set({ 'Idempotency-Key': crypto.randomUUID(), 'X-Forwarded-For': '203.0.113.7' })
    .send({ ...sampleRequest(), [field]: value })

// Only the message is tested, because the database treats all columns alike.
// contact-request.test.ts is about the cleaning.
test('every naughty string in the message is rejected, or cleaned and stored', async () => {
  for (const value of naughtyStrings) {
    const { status, body } = await send('message', value)
    const leads = site.db.selectFrom('leads').select('message')
    const stored = await leads.where('reference', '=', body.reference ?? '').execute()
    const { data } = contactSchema.safeParse({ ...sampleRequest(), message: value })
    expect([status, stored]).toEqual(data ? [200, [{ message: data.message }]] : [400, []])
  }
})

testOnce('no text or address from a request reaches the log, even if it is rejected', async () => {
  site.logLines.length = 0
  const paths: ((canary: string) => request.Test)[] = [
    ...(Object.keys(contactFields) as ContactField[]).map((field) => (canary: string) => send(field, canary)),
    (canary) => send('email', `${canary}@example.com`),
    (canary) => request(server).post(contactPath).type('application/json').send(`{"${canary}": ${canary}`),
    (canary) => request(server).post(contactPath).type(`text/${canary}`).send(canary),
    (canary) => request(server).post(contactPath).type('form').send({ firstName: canary }),
    (canary) => request(server).post(contactPath).set('Origin', `https://${canary}.example`).send({}),
    (canary) => request(server).post(contactPath).set('Idempotency-Key', canary).send(sampleRequest()),
    (canary) =>
      request(server)
        .post(contactPath)
        .set({ apikey: canary, Authorization: canary, Cookie: canary })
        .send({}),
    (canary) =>
      request(server).get(`/${canary}?email=${canary}`).set({ 'User-Agent': canary, Referer: canary }),
    (canary) => request(server).get(`${contactPath}/${canary}`),
    (canary) => request(server).put(`/${canary}`),
  ]
  for (let count = 0; count < 200; count++) await paths[count % paths.length]?.(`canary${count}x`)

  // The log has two lines for each stored request. The other requests share lines that count them.
  expect(site.logLines.length).toBeGreaterThanOrEqual(80)
  expect(site.logLines.filter((line) => /canary|203\.0\.113|127\.0\.0\.1|::1/i.test(line))).toEqual([])
})
