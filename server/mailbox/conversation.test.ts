import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, answerTools, leadTools } from '../proof/testing/leads.ts'
import { ada, mailboxTools, mallory, us } from '../proof/testing/mailbox.ts'
import { readConversation } from './conversation.ts'
import { readMessage } from './read-message.ts'
import { createTakeIn } from './take-in.ts'

const site = useTestApp({ mailTo: [anna], sendsReceipts: true })
const { history, submit } = leadTools(site)
const { answer } = answerTools(site)
const { answered, deliver, takeIn } = mailboxTools(site)

const newest = async (reference: string) => (await history(reference)).at(-1)
const sizeOf = (texts: readonly string[]) => texts.join('').length

test('what the visitor has written and all emails that we have sent are recognized in an answer', async () => {
  const { reference, answers, id, notice } = await answered()
  await takeIn({ answers, text: 'When can you start with the new site for our bakery?' })
  const { others, texts, sent, names } = await readConversation(site.context, id)

  const own = 'We will call you.\n\nAnna'
  for (const text of [...sent, ...texts.slice(-1)]) {
    const quoted = text.replace(/^/gm, '> ')
    await takeIn({ from: anna, to: ada, answers: notice, text: `${own}\n\n${quoted}` }, 'sent')
  }

  expect(others[0]).toBe('Ada Lovelace Ada@Example.com')
  expect(names).toEqual(expect.arrayContaining([us, anna, expect.stringMatching(/^Anna at /)]))
  const events = (await history(reference)).filter(({ what }) => what === 'answered_by_mail')
  expect(events.map(({ text }) => text)).toEqual([own, own, own, own, own])
})

test('what we have sent is recognized with what it promised, also after a later message', async () => {
  const { id, answers } = await answered()
  const { sent } = await readConversation(site.context, id)
  site.advanceClock(2 * 24 * 60 * 60_000)
  await takeIn({ answers, text: 'And our phone is 555.' })

  expect((await readConversation(site.context, id)).sent).toEqual(expect.arrayContaining([...sent]))
})

test('a long conversation is compared up to a limit, and the next message is stored', async () => {
  const { reference, answers, id } = await answered()
  for (let count = 0; count < 3; count++) await takeIn({ answers, text: `${count} ${'的'.repeat(19_000)}` })
  const content = { key: 'k', text: '好'.repeat(50_000), at: '2026-03-02', owner: anna, references: [] }
  await site.db
    .updateTable('outbox')
    .set({ content: JSON.stringify(content) })
    .where('kind', '=', 'answer')
    .execute()

  const { texts, sent } = await readConversation(site.context, id)
  await takeIn({ answers, text: 'When can you start?' })

  expect([sizeOf(texts), sizeOf(sent)]).toEqual([30_000, 30_000])
  expect(texts.join()).toContain('2 的的')
  expect((await newest(reference))?.text).toBe('When can you start?')
})

test('visitors are served between the emails of a long conversation', async () => {
  const { id } = await answered()
  let turns = 0
  const count = () => {
    turns++
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  const { sent } = await readConversation(site.context, id)
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(sent.length)
})

test('a message whose quotations cannot be told from its words is stored whole', async () => {
  const { reference, answers } = await answered()
  const text = 'Fine.\n\n> Yes, we can.'
  const message = await readMessage(
    Buffer.from(`From: ${ada}\r\nIn-Reply-To: ${answers}\r\n\r\n${text.replaceAll('\n', '\r\n')}`),
  )

  const late = async () => {
    throw new Error('The thread did not answer in time.')
  }
  await createTakeIn({ ...site.context, readWords: late })(message, 'inbox')

  expect((await newest(reference))?.text).toBe(text)
})

test("an owner's message is a copy of what we have sent if it has the words of an email, not of a subject", async () => {
  const { reference, id } = await answered()
  const { sent } = await readConversation(site.context, id)

  for (const text of sent) await takeIn({ from: anna, to: ada, text }, 'sent')
  expect((await newest(reference))?.what).toBe('answer')
  await takeIn({ from: anna, to: ada, text: `Your request ${reference} has arrived` }, 'sent')

  expect((await newest(reference))?.what).toBe('answered_by_mail')
})

const questions =
  'Do you want plan A or plan B for your shop?\nWhen should we begin with the work on your page?'
const [which, when] = questions.split('\n')
const [first, last] = [
  'As soon as you can, go ahead.',
  'Then I want to cancel everything, do not start with it.',
]
const foreseen = `${which}\n${first}\n${when}\n${last}`
const own = `${first}\n\n${last}`
const between = `> ${which}\n${first}\n> ${when}\n${last}`

test.each([
  ['somebody else', { from: mallory }],
  ['whoever forges the address', { answers: '' }],
  ['a program, in the name of the visitor', { headers: 'Auto-Submitted: auto-replied' }],
  ['somebody else, quoted in an answer to there', { from: mallory }, mallory],
])('nobody hides words of a visitor by writing them earlier: %s', async (_who, fields, to = ada) => {
  const { reference, answers } = await answered()
  await takeIn({ answers, ...fields, text: foreseen })
  if (to !== ada) await answer(reference, { key: crypto.randomUUID(), text: questions, to })
  await takeIn({ from: anna, to: ada, answers, text: questions }, 'sent')
  site.advanceClock(60_000)
  await deliver()

  await takeIn({ answers, text: between })
  expect((await newest(reference))?.text).toBe(own)
})

test('nobody hides words of a visitor in a request in that name', async () => {
  const reference = await submit({ message: foreseen })
  await takeIn({ from: anna, to: ada, text: questions, id: '<1@agency.example>' }, 'sent')

  await takeIn({ answers: '<1@agency.example>', text: between })
  expect((await newest(reference))?.text).toBe(own)
})

test('an answer that a program has marked like the question above it is no quotation', async () => {
  const { reference, answers } = await answered()
  await takeIn({ answers, from: mallory, text: foreseen })
  await takeIn({ from: anna, to: ada, answers, text: questions }, 'sent')

  await takeIn({ answers, text: `Hello\n\n${foreseen.replace(/^/gm, '> ')}` })
  expect((await newest(reference))?.text).toBe(`Hello\n\n> ${first}\n\n> ${last}`)
})

test('what an owner has written to the visitor and somebody else is recognized below an introduction', async () => {
  const { reference, answers } = await answered()
  await takeIn({ from: anna, to: `${ada}, ben@example.com`, answers, text: questions }, 'sent')

  await takeIn({ answers, text: `Plan A, please.\n\nAnna <${us}> wrote:\n\n${questions}` })
  expect((await newest(reference))?.text).toBe('Plan A, please.')
})

test('what others have written is folded where it is marked as quoted', async () => {
  const { reference, answers } = await answered()
  await takeIn({ answers, from: mallory, text: foreseen })

  await takeIn({ answers, text: `I agree with this.\n\n${foreseen.replace(/^/gm, '> ')}` })
  expect((await newest(reference))?.text).toBe('I agree with this.')
})

test("an owner's answer folds what anybody has written", async () => {
  const { reference, answers } = await answered()
  await takeIn({ answers, from: mallory, text: foreseen })

  const rows = `Sent: Monday, March 2, 2026 10:00\nTo: Site <${us}>`
  const text = `We do.\n\n${rows}\n\n${foreseen}`
  await takeIn({ from: anna, to: mallory, answers, text }, 'sent')
  expect((await newest(reference))?.text).toBe('We do.')
})

test("an owner's answer folds a new email, whose subject is stored above its words", async () => {
  const { reference } = await answered()
  const subject = 'Please call me'
  await takeIn({ subject, id: '<new@example.com>', text: foreseen })

  const rows = `From: Ada <${ada}>\nSent: Monday, March 2, 2026 10:00\nTo: Site <${us}>\nSubject: ${subject}`
  const text = `We do.\n\n${rows}\n\n${foreseen}`
  await takeIn({ from: anna, to: ada, answers: '<new@example.com>', text }, 'sent')
  expect((await newest(reference))?.text).toBe('We do.')
})
