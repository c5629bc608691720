import request from 'supertest'
import { beforeEach, expect, test } from 'vitest'
import { findConcerns } from '../doctor/concerns.ts'
import { explainReply } from '../mail/mail-advice.ts'
import { MAIL_PATIENCE_MS } from '../outbox/backlog.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna } from '../proof/testing/leads.ts'
import { mailboxTools } from '../proof/testing/mailbox.ts'
import { type Folder, reasonOf } from './imap.ts'
import { isReadSince, readTrouble, writeRead, writeTrouble } from './trouble.ts'
import { createTroubleReport } from './trouble-email.ts'
import { createMailboxWatch } from './watch-mailbox.ts'

const ben = 'ben@agency.example'
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const site = useTestApp({ mailTo: [anna, ben] })
const { deliver } = mailboxTools(site)
const report = () => createTroubleReport(site.context)()
const health = async () => (await request(site.app).get('/healthz/mail')).body.status
/** What the morning email says about the mailbox. */
async function concerns() {
  const { concerns } = await findConcerns(site.context, site.clock.now)
  return concerns.filter((words) => words.includes('mailbox'))
}
const since = (minutes: number, reason = 'connect ECONNREFUSED 192.0.2.1:993', folder: Folder = 'inbox') =>
  writeTrouble(site.db, {
    folder,
    since: new Date(site.clock.now.getTime() - minutes * MINUTE_MS).toISOString(),
    reason,
  })

const setUrl = (url?: string) => void Object.assign(site.context.env, { IMAP_URL: url })

beforeEach(() => {
  setUrl('imaps://hello%40agency.example:secret@imap.agency.example')
})

test('if the mailbox has not been readable for an hour, each owner hears of it once a day, and how to cure it', async () => {
  await since(60, 'The mail server refused the login: Invalid credentials')
  await report()
  await report()
  const emails = await deliver()
  expect(emails.map(({ to }) => to)).toEqual([anna, ben])
  expect(emails[0]?.text).toMatch(
    /cannot read the mailbox hello@agency\.example at imap.*Invalid credentials.*Copy user and password again from your mail service/s,
  )
  expect(emails[0]?.text).not.toMatch(/secret|SMTP_URL/)
  site.advanceClock(DAY_MS)
  await report()
  expect(await deliver()).toHaveLength(2)
})

test('meanwhile, the morning email and /healthz/mail say so', async () => {
  await since(60)
  expect(await health()).toBe('mailbox')
  expect(await concerns()).toEqual([
    expect.stringMatching(/has not been readable for 60 min.*what people reply/),
  ])
  // If emails don't go out either, that is more urgent.
  await site.submit()
  site.advanceClock(MAIL_PATIENCE_MS + 1)
  expect(await health()).toBe('waiting')
})

test('if only the folder of sent emails cannot be read, the morning email does not say that replies are missing', async () => {
  await since(60, undefined, 'sent')
  expect(await concerns()).toEqual([
    expect.stringMatching(/^The folder of sent emails.*for 60 min.*does not count as answered/),
  ])
  expect((await concerns()).join()).not.toMatch(/what people reply/)
  await report()
  expect((await deliver())[0]?.text).toMatch(/sent emails are not being read.*does not count as answered/s)
})

test.each([
  ['connect ECONNREFUSED 192.0.2.1:993', /host and port in IMAP_URL.*imaps:\/\/ for port 993, or imap/],
  ['Failed to receive greeting from server in required time', /imaps:\/\/ for port 993, or imap:\/\//],
  ['The mail server refused the login: Too many login failures', /Wait an hour/],
  ['The mail server refused the login: [LIMIT] LOGIN Rate limit hit', /Wait an hour/],
  ['The mail server refused the login: Too many simultaneous connections', /Close other programs/],
  ['self-signed certificate; CERT', /certificate in IMAP_URL/],
  ['Too many simultaneous connections', /Close other programs/],
  ['[SERVERBUG] Internal error', /Ask your mail service/],
  ['Your IP address is not allowed to log in', /Ask your mail service/],
])('the advice for %s is about IMAP', (reason, advice) => {
  const shown = explainReply(reason, 'IMAP_URL').advice
  expect(shown).toMatch(advice)
  expect(shown).not.toMatch(/SMTP|smtp|587|465|MAIL_TO|EMAILS_A_DAY/)
})

test('the reason is also known if the mail server has several addresses, and none answers', async () => {
  await since(60, reasonOf(Object.assign(new AggregateError([]), { code: 'ETIMEDOUT' })))
  await report()
  const [email] = await deliver()
  expect(email?.text).toContain('The reason: no connection (ETIMEDOUT)')
  expect(email?.text).toContain('What to do: Check host and port in IMAP_URL')
})

test('after a restart, trouble that lasts is logged again, with its reason of today', async () => {
  await since(90, 'The mail server refused the login: Invalid credentials')
  const { since: begun } = (await readTrouble(site.db)) ?? {}
  const stopping = new AbortController()
  const watching = createMailboxWatch({ ...site.context, imapUrl: 'imap://127.0.0.1:1' })(stopping.signal)
  const reason = expect.stringContaining('ECONNREFUSED')
  await expect.poll(() => readTrouble(site.db)).toEqual({ folder: 'inbox', since: begun, reason })
  stopping.abort()
  await watching
  expect(site.logLines.filter((line) => line.includes('ECONNREFUSED'))).toHaveLength(1)
})

test.each([
  ['has lasted for less than an hour', () => since(59)],
  ['is over', () => writeTrouble(site.db, null)],
  ['is about a mailbox that is no longer set', () => since(60).then(() => setUrl())],
  [
    'is about an inbox that is turned off',
    () => since(60).then(() => void Object.assign(site.context.env, { INBOX: 'off' })),
  ],
])('trouble that %s is told to nobody', async (_what, prepare) => {
  await prepare()
  await report()
  expect(await deliver()).toEqual([])
  expect([await health(), await concerns()]).toEqual(['ok', []])
})

test.each([
  ['the mailbox can be read again', () => writeTrouble(site.db, null)],
  ['there is other trouble now', () => since(1)],
  ['the mailbox is no longer set', () => setUrl()],
])('an email that comes too late is not sent: %s', async (_why, change) => {
  await since(60)
  await report()
  await change()
  expect(await deliver()).toEqual([])
})

test('all is read since a time if it was read after it, and can be read now', async () => {
  const before = site.clock.now
  const isRead = () => isReadSince(site.db, before)
  expect(await isRead()).toBe(false)
  await writeRead(site.db, new Date(before.getTime() - 1))
  expect(await isRead()).toBe(false)
  await writeRead(site.db, before)
  expect(await isRead()).toBe(true)
  await since(0)
  expect(await isRead()).toBe(false)
})

test('trouble that was noted while the clock was ahead counts', async () => {
  const ahead = new Date(site.clock.now.getTime() + 365 * 24 * 60 * 60_000).toISOString()
  await writeTrouble(site.db, { folder: 'inbox', since: ahead, toldAt: ahead })
  await report()
  expect(await deliver()).toHaveLength(2)
})
