import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Inbox, openInbox } from '../proof/testing/inbox.ts'
import { sampleNotice } from '../proof/testing/sample-notice.ts'
import { createSmtpMailer, type Mailer, tryLogin } from './mailer.ts'
import { readSendError } from './send-error.ts'

const never = new AbortController().signal

let inbox: Inbox
beforeEach(async () => {
  inbox = await openInbox()
})
afterEach(async () => {
  for (const mailer of mailers.splice(0)) mailer.close()
  await inbox.close()
})

const mailers: Mailer[] = []
/** Closed before the inbox, which waits for its connections. */
function openMailer(url: string) {
  const mailer = createSmtpMailer(url)
  mailers.push(mailer)
  return mailer
}

const withLogin = (logins: string[], behavior: Parameters<typeof openInbox>[0] = {}) =>
  openInbox({
    allowInsecureAuth: true,
    onAuth({ username }, session, done) {
      logins.push(`${username}${session.secure ? ', encrypted' : ''}`)
      done(null, { user: 'user' })
    },
    ...behavior,
  })

// Leads to this machine, but does not look local.
const REMOTE = '[::ffff:127.0.0.1]'

test.each([
  '',
  '?requireTLS=false',
  '?ignoreTLS=true',
  '?opportunisticTLS=true',
  '?ignoreTLS=true&requireTLS=false&secure=false',
])('never sends a password to another machine unencrypted: smtp://...%s', async (options) => {
  await inbox.close()
  const logins: string[] = []
  inbox = await withLogin(logins)
  const url = `smtp://user:right@${REMOTE}:${inbox.port}${options}`

  const error = await openMailer(url)
    .send(sampleNotice(), never)
    .catch((error: unknown) => error)
  await expect(tryLogin(url, 1_000)).rejects.toMatchObject({ command: 'STARTTLS' })

  expect(logins).toEqual([])
  expect(readSendError(error, 'owner_notice')).toMatchObject({
    isFinal: false,
    response: expect.stringMatching(/TLS/),
  })
})

test('logs in to another machine with STARTTLS, and without TLS only to this machine', async () => {
  await inbox.close()
  const logins: string[] = []
  inbox = await withLogin(logins, { disabledCommands: [] })
  const plain = await withLogin(logins)

  await openMailer(`smtp://remote:right@${REMOTE}:${inbox.port}?tls.rejectUnauthorized=false`).send(
    sampleNotice(),
    never,
  )
  for (const host of ['localhost', '127.0.0.1'])
    await openMailer(`smtp://${host}:right@${host}:${plain.port}`).send(sampleNotice(), never)

  expect(logins).toEqual(['remote, encrypted', 'localhost', '127.0.0.1'])
  for (const mailer of mailers.splice(0)) mailer.close()
  await plain.close()
})

test('uses a relay without TLS if there is no login', async () => {
  await expect(openMailer(`smtp://${REMOTE}:${inbox.port}`).send(sampleNotice(), never)).resolves.toMatch(
    /^250/,
  )
})
