import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from '../proof/testing/free-port.ts'
import { smtpError } from '../proof/testing/inbox.ts'
import { mailTools } from '../proof/testing/mail-tools.ts'
import { hangUp, openRelay, type Stage } from '../proof/testing/relay.ts'
import { readSendError } from './send-error.ts'

const { openInbox, openMailer } = mailTools()
const failureOf = (sending: Promise<string>) => sending.catch((error) => readSendError(error, 'owner_notice'))

test('the mailer sends several emails over one connection', async () => {
  let connections = 0
  const inbox = await openInbox({
    onConnect(_session, done) {
      connections++
      done()
    },
  })
  const send = openMailer(inbox.url)

  for (let index = 0; index < 5; index++) await send()

  expect([connections, inbox.emails.length]).toEqual([1, 5])
})

test('the mailer reconnects if the server has closed an idle connection', async () => {
  await using relay = await openRelay()
  const send = openMailer(relay.url)
  await send()
  relay.hangUp()

  expect(await send()).toMatch(/^250 /)
})

test('if the server rejects an email, the error includes the code and text of its reply', async () => {
  const inbox = await openInbox({
    onRcptTo: (_address, _session, done) => done(smtpError(550, '5.1.1 no such user')),
  })

  const failure = await failureOf(openMailer(inbox.url)())

  expect(failure).toMatchObject({
    smtpCode: 550,
    isFinal: true,
    response: expect.stringContaining('no such user'),
  })
})

test.each<Stage>(['dot', 'data', 'rcpt'])(
  'if the server hangs up at the stage %s, the cause is the server',
  async (stage) => {
    await using relay = await openRelay()
    relay.misbehave(stage, hangUp)

    const failure = await failureOf(openMailer(relay.url)())

    expect(failure).toMatchObject({ smtpCode: null, isAboutServer: true, cause: 'server' })
  },
)

test('a mail server that is down or requires a login causes only a temporary failure', async () => {
  const down = await failureOf(openMailer(`smtp://127.0.0.1:${await freePort()}`)())
  const inbox = await openInbox({
    onMailFrom: (_address, _session, done) => done(smtpError(530, 'login first')),
  })
  const login = await failureOf(openMailer(inbox.url)())

  expect([down, login]).toMatchObject([
    { smtpCode: null, isFinal: false },
    { smtpCode: 530, isFinal: false },
  ])
})

test.each([
  ['smtp', { disabledCommands: [] }],
  ['smtps', { secure: true }],
])('nothing is sent to a server with an untrusted certificate (%s)', async (scheme, behavior) => {
  const inbox = await openInbox(behavior)

  const failure = await failureOf(openMailer(`${scheme}://localhost:${inbox.port}`)())

  expect([failure, inbox.emails]).toMatchObject([{ isFinal: false, isAboutServer: true }, []])
})

test('a send can be aborted if the server accepts the connection but stays silent', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo

  const sending = openMailer(`smtp://127.0.0.1:${port}`)(undefined, AbortSignal.timeout(100))

  await expect(sending).rejects.toThrow()
  silent.close()
})
