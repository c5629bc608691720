import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test, vi } from 'vitest'
import { buildTestApp, isOnPostgres, testOnce, useTestApp } from '../proof/testing/build-test-app.ts'
import { contactTools, postContact } from '../proof/testing/contact.ts'
import { samplePlan } from '../proof/testing/sample-plan.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

const site = useTestApp()
const { post, leads, emails } = contactTools(site)

test('a complete request is stored, a notice about it is queued, and the response has a reference', async () => {
  const response = await post().expect(200)

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
  expect(lead?.message).toBe('We need a new site.\nWhen can you start?')
  expect(await emails()).toMatchObject([
    { lead_id: lead?.id, state: 'queued', recipient: 'owner@agency.example' },
  ])
})

test('the four required fields are enough, and unknown fields are dropped', async () => {
  const { firstName, lastName, email, message } = sampleRequest()

  await post({ firstName, lastName, email, message, isAdmin: true }).expect(200)

  expect(await leads()).toMatchObject([{ phone: '', company: '', website: '', budget: '' }])
})

test('each recipient gets a separate email', async () => {
  await using several = await buildTestApp({ mailTo: ['a@agency.example', 'b@agency.example'] })

  await postContact(several.app).expect(200)

  const rows = await several.db.selectFrom('outbox').select(['recipient', 'message_id']).execute()
  expect(rows.map((row) => row.recipient)).toEqual(['a@agency.example', 'b@agency.example'])
  expect(new Set(rows.map((row) => row.message_id)).size).toBe(2)
})

test('the lead and its email are stored in one transaction', async () => {
  await site.db.schema.dropTable('outbox_attempts').execute()
  await site.db.schema.dropTable('outbox').execute()

  await post().expect(500)

  expect(await leads()).toEqual([])
})

testOnce('an internal error causes a 500 without internal details', async () => {
  vi.spyOn(site.db, 'transaction').mockImplementation(() => {
    throw new TypeError('secret internals at /srv/app/main.ts')
  })

  const response = await post().expect(500)

  expect(response.text).not.toMatch(/secret|srv|TypeError/)
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
