import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { expect, onTestFinished, test } from 'vitest'
import { readSendError } from '../outbox/outcome.ts'
import { useFolder } from '../proof/testing/build-test-app.ts'
import { openInbox as openSmtpServer } from '../proof/testing/inbox.ts'
import { openRelay } from '../proof/testing/relay.ts'
import { sampleNotice } from '../proof/testing/sample-notice.ts'
import { createFileMailer, createSmtpMailer, tryLogin } from './mailer.ts'
import { isThisMachine } from './this-machine.ts'

async function openInbox(behavior: Parameters<typeof openSmtpServer>[0]) {
  const inbox = await openSmtpServer(behavior)
  onTestFinished(inbox.close)
  return inbox
}

/** Returns a function that sends an email to the SMTP server at `url`. */
function openMailer(url: string) {
  const mailer = createSmtpMailer(url)
  // Runs before the SMTP server closes, which waits for its connections.
  onTestFinished(mailer.close)
  return (signal = new AbortController().signal) => mailer.send(sampleNotice(), signal)
}

const noticeJob = { kind: 'owner_notice', attempts: 1, cause: null, content: null } as const
const failureOf = (sending: Promise<string>) => sending.catch((error) => readSendError(error, noticeJob))

test('the mailer reconnects if the server has closed an idle connection', async () => {
  await using relay = await openRelay()
  const send = openMailer(relay.url)
  await send()
  relay.hangUp()

  expect(await send()).toMatch(/^250 /)
})

test.each([
  ['smtp', { disabledCommands: [] }],
  ['smtps', { secure: true }],
])('nothing is sent to a server with an untrusted certificate (%s)', async (scheme, behavior) => {
  const inbox = await openInbox(behavior)

  const failure = await failureOf(openMailer(`${scheme}://localhost:${inbox.port}`)())

  expect([failure, inbox.emails]).toMatchObject([{ outcome: 'retry', isDown: true }, []])
})

test('a send can be aborted if the server accepts the connection but stays silent', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo

  const sending = openMailer(`smtp://127.0.0.1:${port}`)(AbortSignal.timeout(100))

  await expect(sending).rejects.toThrow(/abort/i)
  silent.close()
})

const withLogin = (logins: string[], behavior: Parameters<typeof openInbox>[0] = {}) =>
  openInbox({
    allowInsecureAuth: true,
    onAuth({ username }, session, done) {
      logins.push(`${username}${session.secure ? ', encrypted' : ''}`)
      done(null, { user: 'user' })
    },
    ...behavior,
  })

// An address of this machine that the mailer doesn't recognize as local, so it counts as another
// machine.
const REMOTE = '[::ffff:127.0.0.1]'

test.each([
  ...['', '?requireTLS=false', '?ignoreTLS=true', '?opportunisticTLS=true'],
  '?ignoreTLS=true&requireTLS=false&secure=false',
])('a password is never sent to another machine unencrypted: smtp://...%s', async (options) => {
  const logins: string[] = []
  const inbox = await withLogin(logins)
  const url = `smtp://user:right@${REMOTE}:${inbox.port}${options}`

  const failure = await failureOf(openMailer(url)())
  await expect(tryLogin(url)).rejects.toMatchObject({ command: 'STARTTLS' })

  expect(logins).toEqual([])
  expect(failure).toMatchObject({
    outcome: 'retry',
    response: expect.stringMatching(/TLS/),
  })
})

test('logging in to another machine requires STARTTLS, but logging in to this machine does not', async () => {
  const logins: string[] = []
  const inbox = await withLogin(logins, { disabledCommands: [] })
  const plain = await withLogin(logins)

  await openMailer(`smtp://remote:right@${REMOTE}:${inbox.port}?tls.rejectUnauthorized=false`)()
  for (const host of ['localhost', '127.0.0.1'])
    await openMailer(`smtp://${host}:right@${host}:${plain.port}`)()

  expect(logins).toEqual(['remote, encrypted', 'localhost', '127.0.0.1'])
})

test('a host that only looks like this machine is another one', () => {
  const others = ['localhost.example', 'my-localhost', '127.0.0.1.example', '1127.0.0.1', '::12']
  expect(others.filter(isThisMachine)).toEqual([])
  expect(['localhost', 'LOCALHOST', '127.9.0.1', '::1', '[::1]'].every(isThisMachine)).toBe(true)
})

const temporary = useFolder()
const never = new AbortController().signal

test('no files are written once another replica has a mail server', async () => {
  const folder = join(temporary.path, 'mail')

  const sending = createFileMailer(folder, async () => true).send(sampleNotice(), never)

  await expect(sending).rejects.toThrow('SMTP_URL is not set here')
  expect(readdirSync(folder)).toEqual([])
})

test('an email that is sent twice is written to the same .eml file', async () => {
  const folder = join(temporary.path, 'mail')
  const mailer = createFileMailer(folder, async () => false)
  await mailer.send(sampleNotice(), never)
  await mailer.send(sampleNotice(), never)

  const files = readdirSync(folder)
  expect(files).toEqual(['1.0.eml'])
  const parsed = await PostalMime.parse(readFileSync(join(folder, '1.0.eml')))
  expect(parsed.to?.map((address) => address.address)).toEqual(['owner@agency.example'])
})
