import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ownerNotice } from '../leads/owner-notice.ts'
import { SUSPECT_FROM } from '../leads/spam-score.ts'
import { doubtsIn, type Inbox, openInbox, smtpError } from '../proof/testing/inbox.ts'
import { openRelay } from '../proof/testing/relay.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { newDataDir } from '../proof/testing/start-program.ts'
import { emlNames, removeFiles } from './eml-files.ts'
import { createFileMailer, createSmtpMailer, type Mail, type Mailer, tryLogin } from './mailer.ts'
import { readSendError } from './send-error.ts'

const mail = (changes = {}, spam = { score: 1, reasons: ['Sent without the time stamp'] }): Mail =>
  ownerNotice(
    {
      ...sampleRequest(changes),
      id: '019c0000-0000-7000-8000-000000000000',
      reference: 'Q-7K3M-9QXD',
      createdAt: new Date('2026-03-02T15:00:00Z'),
      spam,
    },
    { recipient: 'owner@plumbline.example', messageId: '<1.0@plumbline.example>' },
    { mailFrom: { address: 'site@plumbline.example' }, siteUrl: 'https://plumbline.example' },
  )
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
/** Closed after the test: a kept connection would hold the mail server up. */
function openMailer(url: string) {
  const mailer = createSmtpMailer(url)
  mailers.push(mailer)
  return mailer
}

test('a mail arrives from us, for reply to the visitor, with all eight fields in text and HTML', async () => {
  const reply = await openMailer(inbox.url).send(mail(), never)

  expect(reply).toMatch(/^250 /)
  const received = await inbox.read(0)
  expect(received.from?.address).toBe('site@plumbline.example')
  expect(received.replyTo?.map((address) => address.address)).toEqual(['ada@example.com'])
  expect(received.subject).toBe('Quote request Q-7K3M-9QXD from Ada Lovelace')
  for (const body of [received.text, received.html]) {
    for (const value of Object.values(sampleRequest({ budget: '', message: '' })))
      expect(body).toContain(value)
    expect(body).toContain('Professional ($500-$1,000); plan: $400 setup, $79 a month')
    expect(body).toContain('We need a new site.\nWhen can you start?')
    expect(body).toContain('Q-7K3M-9QXD')
    expect(body).toContain('Monday, March 2 at 10:00 AM EST')
  }
})

test('the sender has the name that MAIL_FROM gives, or else that of the brand', async () => {
  const named = { ...mail(), from: { name: 'Ünique, Ltd.', address: 'site@plumbline.example' } }

  await openMailer(inbox.url).send(mail(), never)
  await openMailer(inbox.url).send(named, never)

  const senders = [await inbox.read(0), await inbox.read(1)].map(({ from }) => from?.name)
  expect(senders).toEqual(['Plumbline website', 'Ünique, Ltd.'])
})

test('every attempt sends the same bytes', async () => {
  const mailer = openMailer(inbox.url)
  await mailer.send(mail(), never)
  await mailer.send(mail(), never)

  expect(inbox.mails[0]?.equals(inbox.mails[1] as Buffer)).toBe(true)
})

test('markup arrives as text, and no text becomes a header', async () => {
  const hostile = {
    firstName: '<b>Ada',
    lastName: 'B\u2028Bcc: x@example.com',
    message: '<img src=x onerror=alert(1)>',
  }

  await openMailer(inbox.url).send(mail(hostile), never)

  const received = await inbox.read(0)
  expect(received.html).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(received.html).not.toContain('<img')
  expect(received.bcc ?? []).toEqual([])
  expect(received.subject).toContain('<b>Ada B Bcc: x@example.com')
})

test('a suspect is mailed like any other: only a header, which no reply quotes, gives the reasons', async () => {
  const reasons = ['A field that people cannot see was filled in', 'Reads like an <offer>']

  await openMailer(inbox.url).send(mail({}, { score: SUSPECT_FROM, reasons }), never)

  const received = await inbox.read(0)
  const { subject, text, html, from } = received
  expect(subject).toBe('Quote request Q-7K3M-9QXD from Ada Lovelace')
  expect(`${subject} ${text} ${html} ${from?.name}`).not.toMatch(/suspect|spam|people cannot see|offer/i)
  expect(doubtsIn(received)).toBe(`${SUSPECT_FROM} points: ${reasons.join('; ')}`)
  expect(text).toContain('Message:\nWe need a new site.')
})

test('reasons that a tool has written into the database add no header', async () => {
  const reasons = ['Late\r\nBcc: x@example.com', 'Ünusual']

  await openMailer(inbox.url).send(mail({}, { score: SUSPECT_FROM, reasons }), never)

  expect((await inbox.read(0)).bcc ?? []).toEqual([])
  expect(String(inbox.mails[0])).not.toMatch(/^bcc:/im)
})

test.each([
  ['=?utf-8?B?4oCubW9jLmVscG1heGU=?=', 'Lovelace'],
  ['Zoë', '=?utf-8?Q?=0D=0ABcc:_x?='],
  ['=\u200b?utf-8?B?4oCubW9jLmVscG1heGU=?\u200b=', '=\u034f?utf-8?Q?=E2=80=AE?='],
  ['=', '?utf-8?Q?=E2=80=AE?='],
])('encoded words in the name %j %j stay text in the subject', async (firstName, lastName) => {
  await openMailer(inbox.url).send(mail({ firstName, lastName }), never)

  const { subject } = await inbox.read(0)
  expect(subject).not.toMatch(/[\u202e\r\n]/)
  expect(subject).toMatch(/utf-8/)
})

test('a vacation notice answers no email to the owner', async () => {
  await openMailer(inbox.url).send(mail(), never)

  const headers = (await inbox.read(0)).headers.map(({ key, value }) => `${key}: ${value}`)
  expect(headers).toContain('auto-submitted: auto-generated')
  expect(headers).toContain('x-auto-response-suppress: OOF, AutoReply')
})

test('below the threshold the mail says nothing of a score', async () => {
  await openMailer(inbox.url).send(mail({}, { score: SUSPECT_FROM - 1, reasons: ['Late'] }), never)

  const received = await inbox.read(0)
  expect(`${received.subject} ${received.text}`).not.toMatch(/suspect|spam|Late/i)
  expect(doubtsIn(received)).toBeUndefined()
})

test('a long name is cut in the subject between characters', async () => {
  await openMailer(inbox.url).send(mail({ firstName: '😀'.repeat(50), lastName: '😀'.repeat(50) }), never)

  expect((await inbox.read(0)).subject).toMatch(/from (😀| )+$/u)
})

const withLogin = (logins: string[], behaviour: Parameters<typeof openInbox>[0] = {}) =>
  openInbox({
    allowInsecureAuth: true,
    onAuth({ username }, session, done) {
      logins.push(`${username}${session.secure ? ', encrypted' : ''}`)
      done(null, { user: 'user' })
    },
    ...behaviour,
  })

// An address that leads to this machine, as another name could.
const FAR = '[::ffff:127.0.0.1]'

test.each([
  '',
  '?requireTLS=false',
  '?ignoreTLS=true',
  '?opportunisticTLS=true',
  '?ignoreTLS=true&requireTLS=false&secure=false',
])('no password goes to another machine in the clear: smtp://...%s', async (options) => {
  await inbox.close()
  const logins: string[] = []
  inbox = await withLogin(logins)
  const url = `smtp://user:right@${FAR}:${inbox.port}${options}`

  const error = await openMailer(url)
    .send(mail(), never)
    .catch((error: unknown) => error)
  await expect(tryLogin(url, 1_000)).rejects.toMatchObject({ command: 'STARTTLS' })

  expect(logins).toEqual([])
  expect(readSendError(error, 'owner_notice')).toMatchObject({
    isFinal: false,
    response: expect.stringMatching(/TLS/),
  })
})

test('a login behind STARTTLS goes to another machine, one without TLS to this machine alone', async () => {
  await inbox.close()
  const logins: string[] = []
  inbox = await withLogin(logins, { disabledCommands: [] })
  const plain = await withLogin(logins)

  await openMailer(`smtp://far:right@${FAR}:${inbox.port}?tls.rejectUnauthorized=false`).send(mail(), never)
  for (const host of ['localhost', '127.0.0.1'])
    await openMailer(`smtp://${host}:right@${host}:${plain.port}`).send(mail(), never)

  expect(logins).toEqual(['far, encrypted', 'localhost', '127.0.0.1'])
  for (const mailer of mailers.splice(0)) mailer.close()
  await plain.close()
})

test('without a login, a relay without TLS is used as it is', async () => {
  await expect(openMailer(`smtp://${FAR}:${inbox.port}`).send(mail(), never)).resolves.toMatch(/^250/)
})

test('emails share a connection', async () => {
  await inbox.close()
  let connections = 0
  inbox = await openInbox({
    onConnect(_session, done) {
      connections++
      done()
    },
  })
  const mailer = openMailer(inbox.url)

  for (let index = 0; index < 5; index++) await mailer.send(mail(), never)

  expect([connections, inbox.mails.length]).toEqual([1, 5])
})

test('a kept connection that the server dropped meanwhile is no error', async () => {
  const relay = await openRelay()
  const mailer = openMailer(relay.url)
  await mailer.send(mail(), never)
  relay.hangUp()

  expect(await mailer.send(mail(), never)).toMatch(/^250 /)
  mailer.close()
  await relay.close()
})

test('the answer to the final dot may take minutes, the steps before it may not', async () => {
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

  await openMailer(inbox.url).send(mail(), never)

  expect(seen).toEqual([[90_000]])
  expect(delays.filter((ms) => ms >= 90_000)).toEqual([90_000, 600_000])
})

test('a server that takes a few emails for each connection gets the next over a new one', async () => {
  const relay = await openRelay()
  let sent = 0
  relay.misbehave('mail', (socket) => {
    const count = Number(Object(socket).count ?? 0) + 1
    Object.assign(socket, { count })
    sent++
    return count > 3 ? '452 4.5.3 too many messages in this session' : relay.usual.mail
  })
  const mailer = openMailer(relay.url)

  for (let index = 0; index < 10; index++) await mailer.send(mail(), never)

  expect([relay.mails.length, sent]).toEqual([10, 13])
  mailer.close()
  await relay.close()
})

test('a server that takes nothing for now is asked once', async () => {
  const relay = await openRelay()
  relay.misbehave('mail', '451 4.3.0 later')

  const failure = await openMailer(relay.url)
    .send(mail(), never)
    .catch((error) => readSendError(error, 'owner_notice'))

  expect(failure).toMatchObject({ smtpCode: 451, isFinal: false, isAboutServer: true })
  await relay.close()
})

test.each([
  '<../../evil@x>',
  '<../evil.0@x>',
  '</tmp/evil@x>',
  '<..\\evil@x>',
  '<.@x>',
  '<@x>',
  `<${'x'.repeat(300)}@x>`,
  '<a\0b@x>',
])('a stored Message-ID never becomes a path: %j', async (messageId) => {
  using folder = newDataDir()
  const mailDir = join(folder.path, 'a', 'mail')
  const mailer = createFileMailer(mailDir, async () => false)

  await mailer.send({ ...mail(), messageId }, never)
  await mailer.send({ ...mail(), messageId }, never)

  const files = readdirSync(folder.path, { recursive: true }).map(String)
  expect(files.filter((name) => !['a', 'a/mail'].includes(name))).toEqual([
    expect.stringMatching(/^a\/mail\/[0-9a-f]{64}\.eml$/),
  ])
  expect(emlNames(messageId)).toHaveLength(2)
  expect(removeFiles(mailDir, emlNames(messageId))).toBe(1)
})

test('files are refused once another replica has a mail server', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'plumbline-')), 'mail')

  const sending = createFileMailer(folder, async () => true).send(mail(), never)

  await expect(sending).rejects.toThrow('SMTP_URL is not set here')
  expect(readdirSync(folder)).toEqual([])
})

test('a refusal keeps the code and the words of the server, and who was meant', async () => {
  await inbox.close()
  inbox = await openInbox({
    onRcptTo: (_address, _session, done) => done(smtpError(550, '5.1.1 no such user')),
  })

  const failure = await openMailer(inbox.url)
    .send(mail(), never)
    .catch((error) => readSendError(error, 'owner_notice'))

  expect(failure).toMatchObject({
    smtpCode: 550,
    isFinal: true,
    response: expect.stringContaining('no such user'),
  })
})

test('a server that is down, or that asks for a login, is worth another try', async () => {
  await inbox.close()
  const down = await openMailer(inbox.url)
    .send(mail(), never)
    .catch((error) => readSendError(error, 'owner_notice'))
  inbox = await openInbox({ onMailFrom: (_address, _session, done) => done(smtpError(530, 'login first')) })
  const login = await openMailer(inbox.url)
    .send(mail(), never)
    .catch((error) => readSendError(error, 'owner_notice'))

  expect([down, login]).toMatchObject([
    { smtpCode: null, isFinal: false },
    { smtpCode: 530, isFinal: false },
  ])
})

test('a server that connects and says nothing is left when the signal says so', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo

  const sending = openMailer(`smtp://127.0.0.1:${port}`).send(mail(), AbortSignal.timeout(100))

  await expect(sending).rejects.toThrow()
  silent.close()
})

test('without a mail server the same mail becomes one .eml file', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'plumbline-')), 'mail')
  const mailer = createFileMailer(folder, async () => false)
  await mailer.send(mail(), never)
  await mailer.send(mail(), never)

  const files = readdirSync(folder)
  expect(files).toEqual(['1.0.eml'])
  const parsed = await PostalMime.parse(readFileSync(join(folder, '1.0.eml')))
  expect(parsed.to?.map((address) => address.address)).toEqual(['owner@plumbline.example'])
})
