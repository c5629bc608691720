import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, leadTools } from '../proof/testing/leads.ts'
import { ada, mailboxTools, us } from '../proof/testing/mailbox.ts'

const site = useTestApp({ mailTo: [anna], sendsReceipts: true })
const { read, history } = leadTools(site)
const { answered, everything, takeIn } = mailboxTools(site)

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
