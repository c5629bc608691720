import { expect, test } from 'vitest'
import { readMessage } from './read-message.ts'

const read = (source: string) => readMessage(Buffer.from(source.replace(/\n/g, '\r\n')))

const daemon = 'Return-Path: <>\nFrom: Mail Delivery System <MAILER-DAEMON@mx.example.com>\n'
const person = 'Return-Path: <ada@example.com>\nFrom: Ada <ada@example.com>\n'
const original =
  'From: hello@agency.example\nTo: ada@example.com\nSubject: Your quote\nMessage-ID: <1@agency.example>'
const copy = `\n\n--- Below this line is a copy of the message.\n\n${original}\n\nHello Ada`
const multipart = (type: string, ...parts: string[]) =>
  `Content-Type: multipart/${type}; boundary=b\n\n${parts.map((part) => `--b\n${part}\n`).join('')}--b--\n`
const text = (words: string) => `Content-Type: text/plain\n\n${words}`
const status = (action: string, type = 'message/delivery-status') =>
  `Content-Type: ${type}\n\nReporting-MTA: dns; mx\n\nFinal-Recipient: rfc822; ada@example.com\nAction: ${action}\nStatus: 5.1.1`
const returned = `Content-Type: message/rfc822\n\n${original}\n\nHello Ada`
const headers = `Content-Type: text/rfc822-headers\n\n${original}`
const report = (action: string) => multipart('report', text('Sorry'), status(action), returned)

test.each<[program: string, source: string]>([
  ['Postfix', `${daemon}${report('failed')}`],
  ['Exchange', `Return-Path: <>\nFrom: Microsoft Outlook <m@example.com>\n${report('failed')}`],
  ['a server without Return-Path', `From: postmaster@example.com\n${report('Failed')}`],
  ['Courier', `${daemon}${multipart('report', text('Sorry'), status('failed'), headers)}`],
  [
    'a server for international addresses',
    `${daemon}${multipart('report', text('Sorry'), status('failed', 'message/global-delivery-status'), headers.replace('text/rfc822', 'message/global'))}`,
  ],
  [
    'a server to which another one has forwarded it',
    `${daemon}${report('failed').replace('ada@', 'lovelace@').replace('Action', 'Original-Recipient: rfc822; ada@example.com\nAction')}`,
  ],
  ['a list that wraps it', `${daemon}${multipart('mixed', text('Sorry'), status('failed'), returned)}`],
  [
    'qmail',
    `${daemon}\nThis is the qmail-send program.\nThis is a permanent error; I've given up.\n\n<ada@example.com>:\nSorry, no mailbox here by that name. (#5.1.1)${copy}`,
  ],
  [
    'qmail, after days',
    `${daemon}\nThis is a permanent error; I've given up.\n\n<ada@example.com>:\nI'm not going to try again. (#4.4.1)${copy}`,
  ],
  [
    'qmail, without a code',
    `${daemon}\nThis is a permanent error; I've given up.\n\n<ada@example.com>:\nThis user does not exist.${copy}`,
  ],
  [
    'Exim',
    `${daemon}X-Failed-Recipients: ada@example.com\n\nThe following address failed:\n\n  ada@example.com\n    retry timeout exceeded${copy}`,
  ],
  [
    'Sendmail',
    `${daemon}\n----- The following addresses had permanent fatal errors -----\n<ada@example.com>\n(reason: User unknown)${copy}`,
  ],
  ['Yahoo', `${daemon}\n<ada@example.com>:\nRemote host said: 554 delivery error: no such account${copy}`],
  [
    'a gateway that says only a code',
    `${daemon}\nmx.example.com:587 said: 550 ada@example.com unknown${copy}`,
  ],
  [
    'a server that attaches the email',
    `${daemon}${multipart('mixed', text('550 5.1.1 ada@example.com unknown'), returned)}`,
  ],
  [
    'a server that attaches its headers',
    `${daemon}${multipart('mixed', text('5.1.1 ada@example.com unknown'), headers)}`,
  ],
  [
    'a server that writes HTML',
    `${daemon}Content-Type: text/html\n\n<p>ada@example.com: 550 5.1.1 unknown</p><p>${original.replaceAll('\n', '<br>').replace('<1@agency.example>', '&lt;1@agency.example&gt;')}</p>`,
  ],
])('an email that could not be delivered is named by %s', async (_program, source) => {
  const { bounce } = await read(source)

  expect(bounce).toMatchObject({ messageId: '<1@agency.example>', subject: 'Your quote' })
  expect(bounce?.failed.map(({ address }) => address)).toContain('ada@example.com')
})

test('of a report in plain text, each address has the first code', async () => {
  const { bounce } = await read(`${daemon}\nada@example.com: 550 5.1.1 unknown (5.2.2)${copy}`)
  expect(bounce?.failed).toContainEqual({ address: 'ada@example.com', status: '5.1.1' })
})

const isLate = 'ada@example.com: 451 4.7.1 try again. Warning: not delivered yet to mx.example.com:587.'
test.each<[what: string, source: string]>([
  ['is late', `${daemon}${report('delayed')}`],
  ['was delivered', `${daemon}${report('delivered')}`],
  ['was passed on', `${daemon}${report('relayed')}`],
  ['is late, in plain text', `${daemon}\n${isLate}${copy}`],
  ['is late, after a refusal', `${daemon}\nmx1 said: 550 5.7.1 refused. mx2 said: ${isLate}${copy}`],
  [
    'is late without a code',
    `${daemon}\nWarning: 5501 bytes for ada@example.com not delivered yet to mx:554 (10.5.1.1), port 587${copy}`,
  ],
  [
    'was read',
    `${person}${multipart('report', text('Your message was read.'), 'Content-Type: message/disposition-notification\n\nFinal-Recipient: rfc822; ada@example.com\nDisposition: manual-action/MDN-sent-manually; displayed')}`,
  ],
  [
    'is spam',
    `${daemon}${multipart('report', text('Spam'), 'Content-Type: message/feedback-report\n\nFeedback-Type: abuse', returned)}`,
  ],
  [
    'is passed on by a ticket system',
    `${daemon.replace(/From.*/, 'From: help@example.com')}\n550 5.1.1 ada@example.com unknown${copy}`,
  ],
  ['is of another kind, without a copy', `${daemon}\n550 5.1.1 ada@example.com unknown`],
])('a report that an email %s is no failure', async (_what, source) => {
  expect((await read(source)).bounce).toBeUndefined()
})

const said = 'We got this from your server. 550 5.1.1 ada@example.com unknown. This is a permanent error.'
test.each<[how: string, source: string]>([
  ['below her words', `${person}\n${said}${copy}`],
  [
    'as an attachment',
    `${person}${multipart('mixed', text(said), `Content-Type: message/rfc822\n\n${daemon}${report('failed')}`)}`,
  ],
  ['with its parts', `${person}${multipart('mixed', text(said), status('failed'), returned)}`],
  ['as postmaster', `${person.replaceAll('ada@', 'postmaster@')}\n${said}${copy}`],
  ['under the name of a server', `${person.replace('Ada', 'Mailer-Daemon')}\n${said}${copy}`],
  ['from a server that leaves out the Return-Path', `From: postmaster@example.com\n\n${said}${copy}`],
  ['with the header of a server', `X-Failed-Recipients: ada@example.com\n${person}\n${said}${copy}`],
])("a person's message that passes on a report %s is a reply", async (_how, source) => {
  const { bounce, text, isAutomatic } = await read(source)

  expect(bounce).toBeUndefined()
  expect(isAutomatic).toBe(false)
  expect(text).toContain(said)
})
