import { sql } from 'kysely'
import type request from 'supertest'
import { expect, test } from 'vitest'
import { isOnPostgres, useTestApp } from '../proof/testing/build-test-app.ts'
import { contactTools } from '../proof/testing/contact.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

const site = useTestApp()
const { post, leads } = contactTools(site)

test.skipIf(isOnPostgres)(
  'while the disk is full, requests get a 503 with Retry-After, and the reason is logged; afterward, they get a 200',
  async () => {
    await sql`pragma max_page_count = 1`.execute(site.db)
    const messages = Array.from({ length: 30 }, (_, count) => `${count} ${'x'.repeat(4000)}`)
    const responses: request.Response[] = []
    for (const message of messages) responses.push(await post(sampleRequest({ message })))

    const refused = responses.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(0)
    expect(await leads()).toHaveLength(responses.length - refused.length)
    expect(refused[0]?.status).toBe(503)
    expect(refused[0]?.headers['retry-after']).toBe('5')
    expect(refused[0]?.body.detail).toBe(
      'We could not reach our database just now. Please try again in a moment.',
    )
    expect(site.logLines.join('')).toContain('"code":"SQLITE_FULL"')
    await sql`pragma max_page_count = 1000000`.execute(site.db)
    await post(sampleRequest({ message: 'again' })).expect(200)
  },
)

test.skipIf(isOnPostgres)(
  'a request gets a 503 while another program locks the database, and a 200 afterward',
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
