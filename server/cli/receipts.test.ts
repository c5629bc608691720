import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { replyDueAt } from '#shared/promise-clock.ts'
import { findLead, mailState, readLeads } from '../inbox/reads/export-leads.ts'
import { createSmtpMailer } from '../mail/mailer.ts'
import { createOutboxWorker } from '../outbox/outbox-worker.ts'
import { buildTestApp, testOnce } from '../proof/testing/build-test-app.ts'
import { type Inbox, openInbox, smtpError } from '../proof/testing/inbox.ts'
import { writeEmailOf } from '../proof/testing/outbox.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { formatLead } from './format-lead.ts'

const visitor = 'ada@example.com'

type Refusal = { stage: 'RCPT TO' | 'DATA'; reply: string }
let site: Awaited<ReturnType<typeof buildTestApp>>
let inbox: Inbox
let refusal: Refusal | undefined
/** The recipients of all emails that reached the mail server in full, including those that it then rejected. */
const recipients: string[] = []

/** Returns the error that rejects an email to the visitor, if the test has set a refusal for this stage. */
const errorAt = (stage: Refusal['stage'], recipient: string | undefined) =>
  refusal?.stage === stage && recipient === visitor
    ? smtpError(Number(refusal.reply.slice(0, 3)), refusal.reply.slice(4))
    : null

beforeEach(async () => {
  refusal = undefined
  site = await buildTestApp({ sendsReceipts: true })
  inbox = await openInbox({
    onRcptTo: ({ address }, _session, done) => done(errorAt('RCPT TO', address)),
    onData: (stream, { envelope }, done) => {
      stream.resume().once('end', () => done(errorAt('DATA', envelope.rcptTo[0]?.address)))
      recipients.push(String(envelope.rcptTo[0]?.address))
    },
  })
})
afterEach(async () => {
  recipients.length = 0
  await inbox.close()
  await site[Symbol.asyncDispose]()
})

async function submit(): Promise<string> {
  const clues = { isHoneypotFilled: false, formAgeMs: 60_000 }
  const sender = { client: 'c', idempotencyKey: null, clues }
  return (await site.submitLead(sampleRequest({ email: visitor }), sender)).reference
}

/** Sends all emails that are due, with the real worker over real SMTP. */
async function deliver(url = inbox.url) {
  const mailer = createSmtpMailer(url)
  const write = writeEmailOf(site)
  const worker = createOutboxWorker({
    outbox: site.outbox,
    deliver: async (email, signal) => mailer.send(await write(email), signal),
    log: pino({ level: 'silent' }),
    now: () => site.clock.now,
    random: () => 0.5,
  })
  worker.start()
  const due = () =>
    site.db
      .selectFrom('outbox')
      .select('id')
      .where('state', 'in', ['queued', 'sending'])
      .where('attempts', '=', 0)
      .execute()
  await expect.poll(due, { timeout: 10_000 }).toEqual([])
  await worker.stop()
  mailer.close()
}

/** The output of every command about the lead. */
async function outputAbout(reference: string) {
  const lead = await findLead(site.db, reference)
  if (!lead) throw new Error('There is no such lead.')
  const bounced: string[] = []
  for await (const { reference } of readLeads(site.db, { mail: 'bounced' })) bounced.push(reference)
  return {
    list: mailState(lead),
    bounced,
    show: formatLead(lead),
  }
}

test.each<[Refusal['stage'], string]>([
  ['RCPT TO', '550 5.1.1 <ada@example.com>: User unknown'],
  ['RCPT TO', '550 no such user'],
  ['RCPT TO', '551 5.1.6 Mailbox has moved'],
  ['RCPT TO', '556 5.1.10 Recipient address has null MX'],
])('after %s and the reply "%s", every command says that the address may be wrong', async (stage, reply) => {
  refusal = { stage, reply }
  const reference = await submit()

  await deliver()

  const { list, bounced, show } = await outputAbout(reference)
  expect([list, bounced]).toEqual(['delivered, bounced', [reference]])
  expect(show).toContain('The receipt bounced. The address may be wrong: call instead.')
  expect(show).toContain('receipt to ada@example.com: given up; the address may be wrong')
})

testOnce.each<[Refusal['stage'], string]>([
  ['RCPT TO', '550 5.4.5 Daily user sending limit exceeded'],
  ['DATA', '550 5.4.5 Daily user sending limit exceeded'],
  ['RCPT TO', '550 Daily sending quota exceeded'],
  ['RCPT TO', '550 Blocked by policy'],
  ['RCPT TO', '550 relay not permitted'],
  ['RCPT TO', '550 5.1.1 relay not permitted'],
  ['RCPT TO', '550 5.1.8 Sender address rejected: Domain not found'],
  ['RCPT TO', '552 5.2.2 Mailbox full'],
  ['DATA', '554 looks like spam'],
  ['DATA', '550 rejected'],
])('after %s and the reply "%s", no command says that the address may be wrong', async (stage, reply) => {
  refusal = { stage, reply }
  const reference = await submit()

  await deliver()

  const { list, bounced, show } = await outputAbout(reference)
  expect([list, bounced]).toEqual(['delivered', []])
  expect(show).toContain(reply)
  expect(show).toMatch(/now +receipt to ada@example\.com: not sent$/m)
  expect(show).not.toContain('may be wrong')
})

test.each([
  ['is sent a minute before', 60_000, ['ada@example.com', 'owner@agency.example']],
  ['is no longer sent at', 0, ['owner@agency.example']],
])('a receipt %s the reply time that it promises', async (_when, msBefore, sent) => {
  await submit()
  site.clock.now = new Date(replyDueAt(site.clock.now).getTime() - msBefore)

  await deliver()

  expect(recipients.toSorted()).toEqual(sent)
})
