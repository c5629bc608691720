import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { SMTPServerOptions } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import { openInbox, smtpError } from '../proof/testing/inbox.ts'
import { checkMailServer } from './mail-server.ts'

const PATIENCE_MS = 300

const onAuth: NonNullable<SMTPServerOptions['onAuth']> = ({ password }, _session, done) =>
  password === 'right' ? done(null, { user: 'user' }) : done(smtpError(535, '5.7.8 bad credentials'))
const login = { onAuth, allowInsecureAuth: true }
// It brings a certificate that has run out.
const withTls = { ...login, disabledCommands: [] }

let inbox: Awaited<ReturnType<typeof openInbox>> | undefined
async function open(behaviour: Parameters<typeof openInbox>[0]) {
  inbox = await openInbox(behaviour)
  return inbox
}
afterEach(() => inbox?.close())

test('a server that takes the login is well, and gets no mail', async () => {
  const { port, mails } = await open(login)

  const finding = await checkMailServer(`smtp://user:right@localhost:${port}`)

  expect(finding).toMatchObject({ state: 'ok', seen: `localhost:${port} takes user and password.` })
  expect(mails).toEqual([])
})

test('a login behind STARTTLS is told to be encrypted', async () => {
  const { port } = await open(withTls)

  const finding = await checkMailServer(`smtp://user:right@localhost:${port}?tls.rejectUnauthorized=false`)

  expect(finding).toMatchObject({ state: 'ok', seen: expect.stringContaining('encrypted') })
})

test('a wrong password is named, and never printed', async () => {
  const { port } = await open(login)

  const finding = await checkMailServer(`smtp://user:hunter2@localhost:${port}`)

  expect(finding).toMatchObject({
    state: 'problem',
    seen: `localhost:${port} refuses user or password: 535 5.7.8 bad credentials`,
  })
  expect(JSON.stringify(finding)).not.toContain('hunter2')
})

test('a mail server that is down is named', async () => {
  const { port, close } = await open({})
  await close()

  const finding = await checkMailServer(`smtp://localhost:${port}`)

  expect(finding).toMatchObject({ state: 'problem', seen: expect.stringContaining('refuses the connection') })
})

test('a mail server that says nothing is named', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo

  const finding = await checkMailServer(`smtp://127.0.0.1:${port}`, PATIENCE_MS)

  silent.close()
  expect(finding).toMatchObject({
    state: 'problem',
    seen: expect.stringContaining('does not answer'),
    advice: expect.stringContaining('firewall'),
  })
})

test.each([
  ['STARTTLS', 'smtp', withTls],
  ['TLS', 'smtps', { ...withTls, secure: true }],
])('a bad certificate is named (%s)', async (_name, scheme, behaviour) => {
  const { port } = await open(behaviour)

  const finding = await checkMailServer(`${scheme}://user:right@localhost:${port}`)

  expect(finding).toMatchObject({
    state: 'problem',
    seen: expect.stringMatching(/certificate that is not trusted: certificate has expired/),
  })
})

test('a server without STARTTLS is named, unless it is near', async () => {
  const { port } = await open(login)

  // An address that leads to this machine, as another name could.
  const far = await checkMailServer(`smtp://user:right@[::ffff:127.0.0.1]:${port}`)
  const farWithoutLogin = await checkMailServer(`smtp://[::ffff:127.0.0.1]:${port}`)
  const near = await checkMailServer(`smtp://user:right@localhost:${port}`)

  expect([far, farWithoutLogin, near]).toMatchObject([
    {
      state: 'problem',
      seen: expect.stringContaining('offers no STARTTLS, so no email is sent'),
      advice: expect.stringContaining('without user and password'),
    },
    { state: 'warning', seen: expect.stringContaining('offers no STARTTLS: leads travel in the clear') },
    { state: 'ok' },
  ])
})

test('smtps:// to a port without TLS is named, with the scheme to use', async () => {
  const { port } = await open(login)

  const finding = await checkMailServer(`smtps://localhost:${port}`)

  expect(finding).toMatchObject({ state: 'problem', advice: expect.stringContaining('Write smtp://') })
})

test('a host that is not there is named', async () => {
  const finding = await checkMailServer('smtp://mail.nowhere.invalid:25')

  expect(finding).toMatchObject({
    state: 'problem',
    seen: expect.stringMatching(/There is no host|could not be looked up/),
  })
})

test('a host that is part of the password is named, with how to write it', async () => {
  // What .env makes of smtp://user:p@ss#1@mail.example.com
  const finding = await checkMailServer('smtp://user:p@ss.invalid')

  expect(finding).toMatchObject({
    state: 'problem',
    seen: expect.stringContaining('ss.invalid'),
    advice: expect.stringContaining('%40 %23'),
  })
})

test('a server that is none for mail is named', async () => {
  const web = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  web.listen(0, '127.0.0.1')
  await once(web, 'listening')
  const { port } = web.address() as AddressInfo

  const finding = await checkMailServer(`smtp://127.0.0.1:${port}`)

  web.close()
  expect(finding).toMatchObject({ state: 'problem', seen: expect.stringContaining('is no mail server') })
})

test('without a mail server the report says that mails become files', async () => {
  expect(await checkMailServer(undefined)).toMatchObject({ state: 'warning' })
})
