import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, answerTools, leadTools } from '../proof/testing/leads.ts'
import { ada, bounceOf, mailboxTools, us } from '../proof/testing/mailbox.ts'

const site = useTestApp({ mailTo: [anna], sendsReceipts: true })
const { read, history, drafts } = leadTools(site)
const { answer } = answerTools(site)
const { answered, deliver, everything, takeIn } = mailboxTools(site)

const daemon = { from: 'MAILER-DAEMON@mx.example.com', headers: 'Return-Path: <>' }
const report = (messageId: string, recipient = ada) =>
  `This is a permanent error; I've given up.\n\n<${recipient}>:\nNo mailbox here by that name. (#5.1.1)\n\n--- Below this line is a copy of the message.\n\nFrom: ${us}\nMessage-ID: ${messageId}\nSubject: Hi\n\nHello`

test('an answer that comes back in plain text reopens the lead with the reason', async () => {
  const { reference, answers } = await answered()

  await takeIn({ ...daemon, text: report(answers) })

  const { state, trouble } = await read(reference)
  expect(state).toBe('open')
  expect(trouble).toMatch(/mailbox does not exist.*status 5\.1\.1/)
})

test.each([
  ['another recipient', (id: string) => report(id, 'eve@example.com')],
  ['an email that we have not sent', () => report('<1@agency.example>')],
  ['an email that is only late', (id: string) => report(id).replace(/This is.*/, '451 4.2.0')],
])('a report in plain text about %s changes nothing', async (_name, text) => {
  const { answers } = await answered()
  const before = await everything()

  await takeIn({ ...daemon, text: text(answers) })

  expect(await everything()).toEqual(before)
})

test('a visitor who passes on a report has written again', async () => {
  const { reference, answers } = await answered()
  const text = `Your email came back to me.\n\n${report(answers)}`

  await takeIn({ headers: `Return-Path: <${ada}>`, answers, text })

  expect(await read(reference)).toMatchObject({ state: 'open', trouble: null })
  expect((await history(reference)).at(-1)).toMatchObject({ what: 'reply', text })
})

test('a report of a ticket system that answers our email is shown, and makes the lead unread', async () => {
  const { reference, answers } = await answered()

  await takeIn({ from: 'help@example.com', headers: 'Return-Path: <>', answers, text: report(answers) })

  expect(await read(reference)).toMatchObject({ state: 'answered', awaits_list: 1 })
  expect((await history(reference)).at(-1)).toMatchObject({ what: 'automatic_reply' })
})

/** Sends another answer. */
async function answerAgain(reference: string, changes = {}) {
  site.advanceClock(60_000)
  await answer(reference, { key: crypto.randomUUID(), text: 'Once more.', ...changes })
  site.advanceClock(60_000)
  await deliver()
}

test('a report that names only the reference counts once, wherever it is found again', async () => {
  const { reference } = await answered()
  const body = bounceOf('<0100@email.amazonses.com>', { status: '5.2.2' })
  const bounce = { ...daemon, id: '<1@x>', body: body.replace('Subject: Hi', `Subject: ${reference}`) }
  await takeIn(bounce)
  expect((await read(reference)).state).toBe('open')
  await answerAgain(reference)

  await takeIn(bounce, 'moved')
  expect((await read(reference)).state).toBe('answered')

  await takeIn({ ...bounce, id: '<2@x>' })
  expect((await read(reference)).state).toBe('open')
})

test('what comes back from an address that was corrected since changes nothing', async () => {
  const { reference, answers } = await answered()
  await answerAgain(reference, { to: 'ada@right.example' })
  const before = await read(reference)

  await takeIn({ ...daemon, body: bounceOf(answers) })

  expect(await read(reference)).toEqual(before)
  expect(await drafts()).toEqual([])
})

test('an answer to an address that was corrected, but from which somebody has written since, is sent, and can come back', async () => {
  const { reference, receipt } = await answered()
  await answerAgain(reference, { to: 'ada@right.example' })
  await takeIn({ answers: receipt })
  await answerAgain(reference, { to: ada })
  const emails = site.db.selectFrom('outbox').select(['state', 'message_id']).where('kind', '=', 'answer')
  const { state, message_id } = await emails.orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  expect(state).toBe('sent')

  await takeIn({ ...daemon, body: bounceOf(message_id) })

  expect(await read(reference)).toMatchObject({ state: 'open', trouble: expect.anything() })
})

test.each([
  ['5.1.1', 'this mailbox does not exist'],
  ['5.1.2', 'this mailbox does not exist'],
  ['5.1.10', 'this mailbox does not exist'],
  ['5.1.8', 'the mail server refused it'],
  ['5.1.90', 'the mail server refused it'],
  ['5.2.2', 'the mail server refused it'],
  ['4.4.1', 'we tried for days'],
])('of an answer that comes back with status %s, the lead says: %s', async (status, reason) => {
  const { reference, answers } = await answered()
  await takeIn({ ...daemon, body: bounceOf(answers, { status }) })

  expect((await read(reference)).trouble).toContain(`Your answer did not arrive: ${reason}`)
})

test("an owner's own email that comes back is a draft again, without our words", async () => {
  const { answers } = await answered()
  await takeIn({ answers })
  const own = '<own@agency.example>'
  const calendar = 'Content-Type: text/calendar\n\nBEGIN:VCALENDAR\nEND:VCALENDAR'
  const body = `Content-Type: multipart/mixed; boundary=x\n\n--x\n\nWhen is it?\n--x\n${calendar}\n--x--\n`
  await takeIn({ from: anna.toUpperCase(), to: ada, answers, id: own, body }, 'sent')

  await takeIn({ ...daemon, body: bounceOf(own) })

  expect(await drafts()).toEqual([{ owner: anna, text: 'When is it? […]' }])
})
