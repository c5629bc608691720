import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import Sqlite from 'better-sqlite3'
import { brand } from '#facts/brand.ts'
import { contactPath } from '#shared/contact-request.ts'
import { openInbox, smtpError } from '../../server/proof/testing/inbox.ts'
import { sampleRequest } from '../../server/proof/testing/sample-request.ts'
import { newDataDir, startProgram } from '../../server/proof/testing/start-program.ts'
import { expect, query, siteTest, test } from './test.ts'

const post = (url: string, body = sampleRequest(), headers = {}) =>
  fetch(url + contactPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

test('without settings, a request is stored, its email is written to a file, and SIGTERM leaves a valid database', async () => {
  using dataDir = newDataDir()
  const program = await startProgram({ DATA_DIR: dataDir.path })

  const response = await post(program.url)
  expect(response.status).toBe(200)
  const { reference } = (await response.json()) as { reference: string }

  const files = () => readdirSync(join(dataDir.path, 'mail')).filter((name) => name.endsWith('.eml'))
  await expect.poll(files).toHaveLength(1)
  const [file = ''] = files()
  expect(readFileSync(join(dataDir.path, 'mail', file), 'utf8')).toContain(reference)
  expect(program.lines.join('\n')).toContain('SMTP_URL is not set: emails are written as .eml files')
  await expect
    .poll(() => query(dataDir.path, 'select reference, message, outcome from leads, outbox_attempts'))
    .toEqual([{ reference, message: sampleRequest().message, outcome: 'file' }])

  const startedAt = performance.now()
  const code = await program.stop('SIGTERM')
  expect([code, performance.now() - startedAt < 5000]).toEqual([0, true])
  expect(existsSync(join(dataDir.path, 'leads.db-wal'))).toBe(false)
  expect(query(dataDir.path, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
})

siteTest('the email about a request arrives within two seconds', async ({ program, inbox }) => {
  await post(program.url)

  await expect.poll(() => inbox.emails.length, { timeout: 2000 }).toBe(1)
  const mail = await inbox.read(0)
  expect(mail.from?.address).toBe(brand.email)
  expect(mail.replyTo?.[0]?.address).toBe('ada@example.com')
})

siteTest(
  '20 parallel requests with one key create one lead and one email, and a new key creates another',
  async ({ program, inbox }) => {
    const key = { 'Idempotency-Key': 'one' }
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => post(program.url, sampleRequest(), key)),
    )
    const texts = await Promise.all(responses.map((response) => response.text()))
    await post(program.url, sampleRequest(), { 'Idempotency-Key': 'two' })

    expect(new Set(texts).size).toBe(1)
    await expect.poll(() => inbox.emails.length).toBe(2)
  },
)

test('a server that is killed right after responding keeps the lead and emails it after a restart', async () => {
  using dataDir = newDataDir()
  // Nothing listens on this port, so no email can be sent before the kill.
  const first = await startProgram({ DATA_DIR: dataDir.path, SMTP_URL: 'smtp://127.0.0.1:9' })
  const { reference } = (await (await post(first.url)).json()) as { reference: string }
  await first.stop('SIGKILL')
  // Simulates a kill between claiming the email and sending it.
  const db = new Sqlite(join(dataDir.path, 'leads.db'))
  db.exec("update outbox set state = 'sending', due_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+2 minutes')")
  db.close()

  const inbox = await openInbox()
  const second = await startProgram({ DATA_DIR: dataDir.path, SMTP_URL: inbox.url })

  await expect.poll(() => inbox.emails.length, { timeout: 2000 }).toBe(1)
  expect((await inbox.read(0)).subject).toContain(reference)
  expect(query(dataDir.path, 'select count(*) as leads from leads')).toEqual([{ leads: 1 }])
  await second.stop()
  await inbox.close()
})

test('if the mail server is silent or rejects emails, visitors get their responses without delay, and no email is lost', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  const refusing = await openInbox({ onRcptTo: (_address, _session, done) => done(smtpError(450, 'later')) })
  const { port } = silent.address() as import('node:net').AddressInfo

  for (const url of [`smtp://127.0.0.1:${port}`, refusing.url]) {
    using dataDir = newDataDir()
    const program = await startProgram({ DATA_DIR: dataDir.path, SMTP_URL: url })
    const startedAt = performance.now()
    const response = await post(program.url)
    // Five seconds is much less than the mail timeout.
    expect([response.status, performance.now() - startedAt < 5000]).toEqual([200, true])
    expect(await program.stop()).toBe(0)
    expect(query(dataDir.path, "select count(*) as waiting from outbox where state <> 'sent'")).toEqual([
      { waiting: 1 },
    ])
  }
  silent.close()
  await refusing.close()
})

siteTest(
  'a second server on the same data refuses to start, and the first keeps running',
  async ({ program, dataDir }) => {
    await expect(startProgram({ DATA_DIR: dataDir })).rejects.toThrow(/A server is already using the data/)

    expect((await post(program.url)).status).toBe(200)
  },
)

test('with invalid settings, the server does not start and lists every problem', async () => {
  using dataDir = newDataDir()

  const start = startProgram({ DATA_DIR: dataDir.path, PORT: 'x', SMTP_URL: 'mail', TRUST_PROXY: 'true' })

  await expect(start).rejects.toThrow(/^Invalid settings:\n {2}PORT: .*\n {2}SMTP_URL: .*\n {2}TRUST_PROXY: /)
})

siteTest('if the port is in use or the database is invalid, the error says so', async ({ program }) => {
  using dataDir = newDataDir()
  const onSamePort = startProgram({ DATA_DIR: dataDir.path, PORT: String(program.port) })
  await expect(onSamePort).rejects.toThrow(/^The port is already in use/m)

  using other = newDataDir()
  writeFileSync(join(other.path, 'leads.db'), 'my shopping list'.repeat(100))
  await expect(startProgram({ DATA_DIR: other.path })).rejects.toThrow(
    /^leads.db is damaged, or not an SQLite database/m,
  )
  expect(readFileSync(join(other.path, 'leads.db'), 'utf8')).toContain('my shopping list')
})

siteTest('a Supabase client works unchanged and sees an error on invalid input', async ({ program }) => {
  const supabase = createClient(program.url, 'any-public-key')

  const stored = await supabase.functions.invoke('send-contact-email', { body: sampleRequest() })
  const refused = await supabase.functions.invoke('send-contact-email', {
    body: sampleRequest({ email: 'nobody' }),
  })

  expect(stored).toMatchObject({
    data: { success: true, reference: expect.stringMatching(/^Q-/) },
    error: null,
  })
  expect(refused.error.context.status).toBe(400)
})
