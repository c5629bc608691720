import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ownerNotice } from '../leads/owner-notice.ts'
import { SUSPECT_FROM } from '../leads/spam-score.ts'
import { type Inbox, openInbox, smtpError } from '../testing/inbox.ts'
import { sampleRequest } from '../testing/sample-request.ts'
import { createFileMailer, createSmtpMailer, type Mail } from './mailer.ts'
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
    { mailFrom: 'site@plumbline.example', siteUrl: 'https://plumbline.example' },
  )
const never = new AbortController().signal

let inbox: Inbox
beforeEach(async () => {
  inbox = await openInbox()
})
afterEach(() => inbox.close())

test('a mail arrives from us, for reply to the visitor, with all eight fields in text and HTML', async () => {
  const reply = await createSmtpMailer(inbox.url).send(mail(), never)

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

test('every attempt sends the same bytes', async () => {
  const mailer = createSmtpMailer(inbox.url)
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

  await createSmtpMailer(inbox.url).send(mail(hostile), never)

  const received = await inbox.read(0)
  expect(received.html).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(received.html).not.toContain('<img')
  expect(received.bcc ?? []).toEqual([])
  expect(received.subject).toContain('<b>Ada B Bcc: x@example.com')
})

test('a suspect is mailed like any other, with a marked subject and the reasons', async () => {
  const reasons = ['A field that people cannot see was filled in', 'Reads like an <offer>']

  await createSmtpMailer(inbox.url).send(mail({}, { score: SUSPECT_FROM, reasons }), never)

  const { subject, text, html } = await inbox.read(0)
  expect(subject).toBe('[Suspect] Quote request Q-7K3M-9QXD from Ada Lovelace')
  expect(text).toContain(`- ${reasons[0]}\n- ${reasons[1]}\n`)
  expect(html).toContain(`<li>${reasons[0]}</li><li>Reads like an &lt;offer&gt;</li>`)
  expect(text).toContain('Message:\nWe need a new site.')
})

test('below the threshold the mail says nothing of a score', async () => {
  await createSmtpMailer(inbox.url).send(mail({}, { score: SUSPECT_FROM - 1, reasons: ['Late'] }), never)

  const { subject, text } = await inbox.read(0)
  expect(`${subject} ${text}`).not.toMatch(/suspect|spam|Late/i)
})

test('a long name is cut in the subject between characters', async () => {
  await createSmtpMailer(inbox.url).send(
    mail({ firstName: '😀'.repeat(50), lastName: '😀'.repeat(50) }),
    never,
  )

  expect((await inbox.read(0)).subject).toMatch(/from (😀| )+$/u)
})

test('a refusal keeps the code and the words of the server, and who was meant', async () => {
  await inbox.close()
  inbox = await openInbox({ onRcptTo: (_address, _session, done) => done(smtpError(550, 'no such user')) })

  const failure = await createSmtpMailer(inbox.url).send(mail(), never).catch(readSendError)

  expect(failure).toMatchObject({
    smtpCode: 550,
    isFinal: true,
    response: expect.stringContaining('no such user'),
  })
})

test('a server that is down, or that asks for a login, is worth another try', async () => {
  await inbox.close()
  const down = await createSmtpMailer(inbox.url).send(mail(), never).catch(readSendError)
  inbox = await openInbox({ onMailFrom: (_address, _session, done) => done(smtpError(530, 'login first')) })
  const login = await createSmtpMailer(inbox.url).send(mail(), never).catch(readSendError)

  expect([down, login]).toMatchObject([
    { smtpCode: null, isFinal: false },
    { smtpCode: 530, isFinal: false },
  ])
})

test('a server that connects and says nothing is left when the signal says so', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo

  const sending = createSmtpMailer(`smtp://127.0.0.1:${port}`).send(mail(), AbortSignal.timeout(100))

  await expect(sending).rejects.toThrow()
  silent.close()
})

test('without a mail server the same mail becomes one .eml file', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'plumbline-')), 'mail')
  const mailer = createFileMailer(folder)
  await mailer.send(mail(), never)
  await mailer.send(mail(), never)

  const files = readdirSync(folder)
  expect(files).toEqual(['1.0.eml'])
  const parsed = await PostalMime.parse(readFileSync(join(folder, '1.0.eml')))
  expect(parsed.to?.map((address) => address.address)).toEqual(['owner@plumbline.example'])
})
