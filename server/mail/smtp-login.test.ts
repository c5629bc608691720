import { expect, test } from 'vitest'
import { mailTools } from '../proof/testing/mail-tools.ts'
import { tryLogin } from './mailer.ts'
import { readSendError } from './send-error.ts'

const { openInbox, openMailer } = mailTools()

const withLogin = (logins: string[], behavior: Parameters<typeof openInbox>[0] = {}) =>
  openInbox({
    allowInsecureAuth: true,
    onAuth({ username }, session, done) {
      logins.push(`${username}${session.secure ? ', encrypted' : ''}`)
      done(null, { user: 'user' })
    },
    ...behavior,
  })

// An address of this machine that the mailer doesn't recognize as local, so it counts as another machine.
const REMOTE = '[::ffff:127.0.0.1]'

test.each([
  '',
  '?requireTLS=false',
  '?ignoreTLS=true',
  '?opportunisticTLS=true',
  '?ignoreTLS=true&requireTLS=false&secure=false',
])('a password is never sent to another machine unencrypted: smtp://...%s', async (options) => {
  const logins: string[] = []
  const inbox = await withLogin(logins)
  const url = `smtp://user:right@${REMOTE}:${inbox.port}${options}`

  const error = await openMailer(url)().catch((error: unknown) => error)
  await expect(tryLogin(url, 1_000)).rejects.toMatchObject({ command: 'STARTTLS' })

  expect(logins).toEqual([])
  expect(readSendError(error, 'owner_notice')).toMatchObject({
    isFinal: false,
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
