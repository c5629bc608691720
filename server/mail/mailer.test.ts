import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Inbox, openInbox, smtpError } from '../proof/testing/inbox.ts'
import { openRelay } from '../proof/testing/relay.ts'
import { sampleNotice } from '../proof/testing/sample-notice.ts'
import { createSmtpMailer, type Mailer } from './mailer.ts'
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

test('reuses a connection', async () => {
  await inbox.close()
  let connections = 0
  inbox = await openInbox({
    onConnect(_session, done) {
      connections++
      done()
    },
  })
  const mailer = openMailer(inbox.url)

  for (let index = 0; index < 5; index++) await mailer.send(sampleNotice(), never)

  expect([connections, inbox.emails.length]).toEqual([1, 5])
})

test('reconnects if the server has closed an idle connection', async () => {
  const relay = await openRelay()
  const mailer = openMailer(relay.url)
  await mailer.send(sampleNotice(), never)
  relay.hangUp()

  expect(await mailer.send(sampleNotice(), never)).toMatch(/^250 /)
  mailer.close()
  await relay.close()
})

test('waits minutes for the reply to the final dot, but not for earlier steps', async () => {
  const realTimeout = globalThis.setTimeout
  const delays: number[] = []
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms: number) => {
    delays.push(ms)
    return realTimeout(work, ms)
  }) as typeof setTimeout)
  await inbox.close()
  const seen: number[][] = []
  inbox = await openInbox({
    onRcptTo(_address, _session, done) {
      seen.push(delays.filter((ms) => ms >= 90_000))
      done()
    },
  })

  await openMailer(inbox.url).send(sampleNotice(), never)

  expect(seen).toEqual([[90_000]])
  expect(delays.filter((ms) => ms >= 90_000)).toEqual([90_000, 600_000])
})

test('opens a new connection when the server limits emails per connection', async () => {
  const relay = await openRelay()
  let sent = 0
  relay.misbehave('mail', (socket) => {
    const count = Number(Object(socket).count ?? 0) + 1
    Object.assign(socket, { count })
    sent++
    return count > 3 ? '452 4.5.3 too many messages in this session' : relay.usual.mail
  })
  const mailer = openMailer(relay.url)

  for (let index = 0; index < 10; index++) await mailer.send(sampleNotice(), never)

  expect([relay.emails.length, sent]).toEqual([10, 13])
  mailer.close()
  await relay.close()
})

test('does not retry a temporary error on a new connection', async () => {
  const relay = await openRelay()
  relay.misbehave('mail', '451 4.3.0 later')

  const failure = await openMailer(relay.url)
    .send(sampleNotice(), never)
    .catch((error) => readSendError(error, 'owner_notice'))

  expect(failure).toMatchObject({ smtpCode: 451, isFinal: false, isAboutServer: true })
  await relay.close()
})

test('reports the code and text of a rejection', async () => {
  await inbox.close()
  inbox = await openInbox({
    onRcptTo: (_address, _session, done) => done(smtpError(550, '5.1.1 no such user')),
  })

  const failure = await openMailer(inbox.url)
    .send(sampleNotice(), never)
    .catch((error) => readSendError(error, 'owner_notice'))

  expect(failure).toMatchObject({
    smtpCode: 550,
    isFinal: true,
    response: expect.stringContaining('no such user'),
  })
})

test('treats a server that is down or requires a login as temporary', async () => {
  await inbox.close()
  const down = await openMailer(inbox.url)
    .send(sampleNotice(), never)
    .catch((error) => readSendError(error, 'owner_notice'))
  inbox = await openInbox({ onMailFrom: (_address, _session, done) => done(smtpError(530, 'login first')) })
  const login = await openMailer(inbox.url)
    .send(sampleNotice(), never)
    .catch((error) => readSendError(error, 'owner_notice'))

  expect([down, login]).toMatchObject([
    { smtpCode: null, isFinal: false },
    { smtpCode: 530, isFinal: false },
  ])
})

test('aborts if the server accepts the connection but stays silent', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo

  const sending = openMailer(`smtp://127.0.0.1:${port}`).send(sampleNotice(), AbortSignal.timeout(100))

  await expect(sending).rejects.toThrow()
  silent.close()
})
