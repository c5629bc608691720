import { expect, test } from 'vitest'
import { formTokenField, honeypotField } from '#shared/contact-request.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { contactTools } from '../proof/testing/contact.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

const site = useTestApp()
const { post, leads, emails, issueToken } = contactTools(site)

test('requests with the same key and content get the same response, and store one lead and one email', async () => {
  const key = { 'Idempotency-Key': 'a key' }
  const responses = await Promise.all(Array.from({ length: 20 }, () => post(sampleRequest(), key)))

  expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  expect(responses.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(19)
  expect([await leads(), await emails()].map((rows) => rows.length)).toEqual([1, 1])
})

test('a request with a new key creates a new lead, even if its content is the same', async () => {
  await post(sampleRequest(), { 'Idempotency-Key': 'one' }).expect(200)
  await post(sampleRequest(), { 'Idempotency-Key': 'two' }).expect(200)

  expect(await leads()).toHaveLength(2)
})

test('a request with the key of an earlier request but different content gets a 422', async () => {
  await post(sampleRequest(), { 'Idempotency-Key': 'one' }).expect(200)

  await post(sampleRequest({ message: 'Something else' }), { 'Idempotency-Key': 'one' }).expect(422)

  expect(await leads()).toHaveLength(1)
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

test('a rejected request does not use up its key', async () => {
  await post(sampleRequest({ email: 'wrong' }), { 'Idempotency-Key': 'one' }).expect(400)

  await post(sampleRequest(), { 'Idempotency-Key': 'one' }).expect(200)
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
})

test('duplicates and replays are recognized even if the honeypot and token differ', async () => {
  const key = { 'Idempotency-Key': 'one' }
  const first = await post(sampleRequest(), key)
  site.advanceClock(60_000)
  const clues = { [formTokenField]: await issueToken(), [honeypotField]: 'x' }

  const replay = await post({ ...sampleRequest(), ...clues }, key).expect(200)
  const duplicate = await post({ ...sampleRequest(), ...clues }).expect(200)

  expect([replay.body, duplicate.body]).toEqual([first.body, first.body])
  expect(await leads()).toHaveLength(1)
})
