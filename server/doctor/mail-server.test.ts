import type { SMTPServerOptions } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { openInbox, smtpError } from '../proof/testing/inbox.ts'
import { checkMailServer, explainMailError } from './mail-server.ts'

const onAuth: NonNullable<SMTPServerOptions['onAuth']> = ({ password }, _session, done) =>
  password === 'right' ? done(null, { user: 'user' }) : done(smtpError(535, '5.7.8 bad credentials'))
const login = { onAuth, allowInsecureAuth: true }
// Offers STARTTLS with smtp-server's own certificate, which has expired.
const withTls = { ...login, disabledCommands: [] }

async function open(behavior: Parameters<typeof openInbox>[0]) {
  const inbox = await openInbox(behavior)
  onTestFinished(inbox.close)
  return inbox
}

test('a mail server that accepts the login is ok, and gets no email', async () => {
  const { port, emails } = await open(login)

  const finding = await checkMailServer(`smtp://user:right@localhost:${port}`)

  expect(finding).toMatchObject({
    state: 'ok',
    seen: `localhost:${port} accepts the user name and password.`,
  })
  expect(emails).toEqual([])
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

test.each([
  ['550 5.4.5 Daily user sending limit exceeded', 'EAUTH', /reached a limit/, /EMAILS_A_DAY/],
  ['454 4.7.0 Too many login attempts', 'EAUTH', /too many logins/, /Wait an hour/],
  ['535 5.7.0 (#AUTH005) Too many bad auth attempts.', 'EAUTH', /too many logins/, /app password/],
  ['550 Request failed; Mailbox unavailable', 'EMESSAGE', /refuses MAIL_FROM/, /wait until tomorrow/],
  ['525 5.7.1 Unauthorized IP address', 'EAUTH', /does not accept the IP address/, /Authorized IPs/],
  [
    '554 Message rejected: Email address is not verified. The following identities failed the check in region EU-WEST-1: a@b.co',
    'EMESSAGE',
    /only verified addresses/,
    /production access/,
  ],
  ['450 exceeded the max emails per hour (100/100)', 'EMESSAGE', /reached a limit/, /Wait: an hour/],
  ['452 4.2.2 The email account is over quota', 'EENVELOPE', /mailbox is full/, /Delete emails/],
  ['Connection timeout', 'ETIMEDOUT', /cannot be reached/, /firewall/],
  ['550 who are you?', 'EENVELOPE', /does not work/, /Ask your mail service/],
  ['530 Authentication required', 'EENVELOPE', /refuses the user name or password/, /app password/],
  ['550 5.1.1 No such user here', 'EENVELOPE', /knows no such mailbox/, /Correct MAIL_TO/],
  ['553 5.7.1 Sender address rejected', 'EENVELOPE', /refuses MAIL_FROM/, /the user in SMTP_URL/],
  ['550 Sender address <a@b.co> is not owned by user c@b.co', 'EMESSAGE', /refuses MAIL_FROM/, /the user in/],
  ['getaddrinfo ENOTFOUND mail.agency.co', 'EDNS', /does not exist/, /Copy the name/],
  [
    '535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Mailbox.',
    'EAUTH',
    /does not allow SMTP AUTH/,
    /Set-CASMailbox/,
  ],
  ['login.example issues no token (400)', 'EAUTH', /without an access token/, /"access tokens"/],
  ['* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] ready.', 'EPROTOCOL', /does not answer as SMTP_URL/, /port 587/],
  ['Greeting never received', 'ETIMEDOUT', /does not answer/, /If it says that already, the mail/],
  ['refused', 'STARTTLS', /does not support STARTTLS, so no email is sent/, /without user name and password/],
])('the reply "%s" (%s) is explained', (response, code, seen, advice) => {
  const error = { response, [code === 'STARTTLS' ? 'command' : 'code']: code }
  expect(explainMailError('smtp://mail.agency.co:587', error)).toMatchObject({
    state: 'problem',
    seen: expect.stringMatching(seen),
    advice: expect.stringMatching(advice),
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
    seen: expect.stringMatching(/certificate that is not trusted: .*certificate has expired/),
  })
})

test.each([
  'mail-catcher:1025',
  'mailpit.local:25',
  'smtp.ethereal.email:587',
  'sandbox.smtp.mailtrap.io:2525',
])('a mail catcher is a warning (%s)', async (host) => {
  expect(await checkMailServer(`smtp://${host}`)).toMatchObject({
    state: 'warning',
    seen: expect.stringContaining('delivers none'),
  })
})

test('if the usual port is blocked, another one that answers is named', async () => {
  await open({ port: 2525 })
  expect(await checkMailServer('smtp://user:right@127.0.0.1:1')).toMatchObject({
    state: 'problem',
    seen: expect.stringContaining('cannot be reached'),
    advice: 'Port 2525 of 127.0.0.1 answers: in SMTP_URL, write smtp:// and :2525.',
  })
})
