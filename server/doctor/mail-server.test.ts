import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { SMTPServerOptions } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import { openInbox, smtpError } from '../proof/testing/inbox.ts'
import { checkMailServer } from './mail-server.ts'

const TIMEOUT_MS = 300

const onAuth: NonNullable<SMTPServerOptions['onAuth']> = ({ password }, _session, done) =>
  password === 'right' ? done(null, { user: 'user' }) : done(smtpError(535, '5.7.8 bad credentials'))
const login = { onAuth, allowInsecureAuth: true }
// Offers STARTTLS with smtp-server's own certificate, which has expired.
const withTls = { ...login, disabledCommands: [] }

let inbox: Awaited<ReturnType<typeof openInbox>> | undefined
async function open(behavior: Parameters<typeof openInbox>[0]) {
  inbox = await openInbox(behavior)
  return inbox
}
afterEach(() => inbox?.close())

test('a mail server that accepts the login is ok, and gets no email', async () => {
  const { port, emails } = await open(login)

  const finding = await checkMailServer(`smtp://user:right@localhost:${port}`)

  expect(finding).toMatchObject({
    state: 'ok',
    seen: `localhost:${port} accepts the user name and password.`,
  })
  expect(emails).toEqual([])
})

test('a login over STARTTLS is reported as encrypted', async () => {
  const { port } = await open(withTls)

  const finding = await checkMailServer(`smtp://user:right@localhost:${port}?tls.rejectUnauthorized=false`)

  expect(finding).toMatchObject({ state: 'ok', seen: expect.stringContaining('encrypted') })
})

test('a wrong password is reported and never printed', async () => {
  const { port } = await open(login)

  const finding = await checkMailServer(`smtp://user:hunter2@localhost:${port}`)

  expect(finding).toMatchObject({
    state: 'problem',
    seen: `localhost:${port} refuses the user name or password: 535 5.7.8 bad credentials`,
    advice: expect.stringMatching(/\$ as .*%24/),
  })
  expect(JSON.stringify(finding)).not.toContain('hunter2')
})

test('a mail server that is down is reported', async () => {
  const { port, close } = await open({})
  await close()

  const finding = await checkMailServer(`smtp://localhost:${port}`)

  expect(finding).toMatchObject({ state: 'problem', seen: expect.stringContaining('refuses the connection') })
})

test('a mail server that does not respond is reported', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo

  const finding = await checkMailServer(`smtp://127.0.0.1:${port}`, TIMEOUT_MS)

  silent.close()
  expect(finding).toMatchObject({
    state: 'problem',
    seen: expect.stringContaining('does not respond'),
    advice: expect.stringContaining('firewall'),
  })
})

test.each([
  ['STARTTLS', 'smtp', withTls],
  ['TLS', 'smtps', { ...withTls, secure: true }],
])('a bad certificate is reported (%s)', async (_name, scheme, behavior) => {
  const { port } = await open(behavior)

  const finding = await checkMailServer(`${scheme}://user:right@localhost:${port}`)

  expect(finding).toMatchObject({
    state: 'problem',
    seen: expect.stringMatching(/certificate that is not trusted: certificate has expired/),
  })
})

test('a server without STARTTLS is reported unless it is local', async () => {
  const { port } = await open(login)

  // This address reaches this machine but does not look local.
  const far = await checkMailServer(`smtp://user:right@[::ffff:127.0.0.1]:${port}`)
  const farWithoutLogin = await checkMailServer(`smtp://[::ffff:127.0.0.1]:${port}`)
  const near = await checkMailServer(`smtp://user:right@localhost:${port}`)

  expect([far, farWithoutLogin, near]).toMatchObject([
    {
      state: 'problem',
      seen: expect.stringContaining('does not support STARTTLS, so no email is sent'),
      advice: expect.stringContaining('without a user name and password'),
    },
    {
      state: 'warning',
      seen: expect.stringContaining('does not support STARTTLS: leads are sent unencrypted'),
    },
    { state: 'ok' },
  ])
})

test('if smtps:// is used for a port without TLS, the advice is to use smtp://', async () => {
  const { port } = await open(login)

  const finding = await checkMailServer(`smtps://localhost:${port}`)

  expect(finding).toMatchObject({ state: 'problem', advice: expect.stringContaining('Use smtp://') })
})

test('an unknown host is reported', async () => {
  const finding = await checkMailServer('smtp://mail.nowhere.invalid:25')

  expect(finding).toMatchObject({
    state: 'problem',
    seen: expect.stringMatching(/There is no host|DNS lookup/),
  })
})

test('if part of an unencoded password is read as the host, the advice explains the encoding', async () => {
  // In a .env file, smtp://user:p@ss.invalid#1@mail.example.com ends at the #.
  const finding = await checkMailServer('smtp://user:p@ss.invalid')

  expect(finding).toMatchObject({
    state: 'problem',
    seen: expect.stringContaining('ss.invalid'),
    advice: expect.stringContaining('%40 %23'),
  })
})

test('a server that is not a mail server is reported', async () => {
  const web = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  web.listen(0, '127.0.0.1')
  await once(web, 'listening')
  const { port } = web.address() as AddressInfo

  const finding = await checkMailServer(`smtp://127.0.0.1:${port}`)

  web.close()
  expect(finding).toMatchObject({ state: 'problem', seen: expect.stringContaining('is not a mail server') })
})

test('a missing SMTP_URL is a warning', async () => {
  expect(await checkMailServer(undefined)).toMatchObject({ state: 'warning' })
})

test.each(['mailpit:1025', 'mailhog', 'smtp.ethereal.email:587', 'sandbox.smtp.mailtrap.io'])(
  'a mail catcher is a warning (%s)',
  async (host) => {
    const finding = await checkMailServer(`smtp://${host}`)

    expect(finding).toMatchObject({ state: 'warning', seen: expect.stringContaining('delivers none') })
  },
)
