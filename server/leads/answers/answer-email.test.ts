import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { brand } from '#facts/brand.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { emailBytes } from '../../proof/testing/email-bytes.ts'
import { sampleLead } from '../../proof/testing/sample-notice.ts'
import { answerEmail, answerTemplate, ownerName } from './answer-email.ts'
import type { AnswerContent } from './answer-lead.ts'
import { answerTroubleEmail } from './answer-trouble.ts'

const sender = { mailFrom: { address: 'site@agency.example', name: 'Our website' } }
const answerTo = {
  kind: 'answer' as const,
  recipient: 'ada@example.com',
  messageId: '<k.answer@agency.example>',
}
const copyTo = {
  kind: 'answer_copy' as const,
  recipient: 'anna@agency.example',
  messageId: '<k.copy@agency.example>',
}
const answerWith = (changes: Partial<AnswerContent> = {}): AnswerContent => ({
  key: '019c0000-0000-7000-8000-0000000000aa',
  text: 'Hello Ada,\n\nyes, we can.',
  owner: 'anna@agency.example',
  at: '2026-03-02T16:00:00.000Z',
  references: [],
  ...changes,
})
const bytesOf = (lead = {}, answer = {}) =>
  emailBytes(answerEmail(sampleLead(lead), answerWith(answer), answerTo, sender))
const read = async (lead = {}, answer = {}) => PostalMime.parse(await bytesOf(lead, answer))
const header = (email: Awaited<ReturnType<typeof read>>, name: string) =>
  email.headers.find(({ key }) => key === name)?.value

test("an answer is sent from our address with the owner's name, and replies go to the owner", async () => {
  const email = await read()

  expect(email).toMatchObject({
    from: { name: `Anna at ${brand.name}`, address: 'site@agency.example' },
    to: [{ address: 'ada@example.com' }],
    replyTo: [{ address: 'anna@agency.example' }],
    subject: 'Your request Q-7K3M-9QXD',
    messageId: '<k.answer@agency.example>',
    date: '2026-03-02T16:00:00.000Z',
  })
  for (const name of ['auto-submitted', 'x-auto-response-suppress', 'in-reply-to'])
    expect(header(email, name)).toBeUndefined()
})

const own = '<k.answer@agency.example>'
test.each([
  ['receipt', '<1.receipt@agency.example>', 'Re: Your request Q-7K3M-9QXD has arrived'],
  ['first answer', '<1.answer@agency.example>', 'Re: Your request Q-7K3M-9QXD'],
])('an answer continues the conversation of the %s', async (_what, first, subject) => {
  expect(await read({}, { references: [first, '<2@x>'] })).toMatchObject({
    subject,
    inReplyTo: '<2@x>',
    // A mail service may change its Message-ID.
    references: `${first} <2@x> ${own}`,
  })
})

test("the visitor's words are quoted below the answer", async () => {
  const { text, html } = await read({ message: 'One\n\nTwo <b>' })

  expect(text?.trim()).toBe(`Hello Ada,

yes, we can.

On ${officeTimeInWords(Date.parse('2026-03-02T15:00Z'))}, Ada Lovelace wrote:
> One
>
> Two <b>`)
  expect(html).toContain('Two &#60;b&#62;</blockquote>')
})

test.each([answerTo, copyTo])(
  'an answer to another address quotes only what came from there: %j',
  (email) => {
    const answer = answerWith({ to: 'bo@work.example' })
    const lastReply = { text: 'A shed.', at: new Date(answer.at) }
    const write = (more: object) =>
      answerEmail(sampleLead({ message: 'A roof.' }), answer, email, { ...sender, ...more }).text

    expect(write({})).not.toMatch(/A roof|Ada Lovelace/)
    expect(write({ lastReply })).toMatch(/, bo@work.example wrote:\s+> A shed\./)
  },
)

test('after a mail server has refused what a visitor wrote, emails about an answer have nothing of it', () => {
  const lead = sampleLead({ message: '' })
  const write = (email: typeof answerTo | typeof copyTo) => answerEmail(lead, answerWith(), email, sender)
  const trouble = { at: answerWith().at, address: lead.email, reason: 'Full', stuckSince: null }
  const failed = answerTroubleEmail(lead, trouble, copyTo, { ...sender, siteUrl: 'https://agency.example' })

  expect(write(answerTo).text).not.toContain('wrote:')
  expect(write(copyTo).text).toContain('Your answer to Q-7K3M-9QXD:')
  expect(failed.subject).toBe('Your answer to Q-7K3M-9QXD did not arrive')
  expect(failed.text).not.toMatch(/Full|ada@/)
})

test.each([
  [
    null,
    /did not arrive$/,
    'The request is open, and your answer is a draft, unless you had begun another one.',
  ],
  [answerWith().at, /has been stuck since \w+day/, 'The server keeps trying for five days'],
])(
  "an email about an answer's trouble (stuck since %s) says what the server does",
  (stuckSince, what, next) => {
    const lead = sampleLead()
    const trouble = { at: answerWith().at, address: 'new@example.com', reason: 'Mailbox full.', stuckSince }
    const { subject, text } = answerTroubleEmail(lead, trouble, copyTo, {
      ...sender,
      siteUrl: 'https://agency.example',
    })

    expect(subject).toMatch(/^Your answer to Ada Lovelace /)
    expect(subject).toMatch(what)
    expect(text).toMatch(/\n {2}Mailbox full\. \(new@example\.com\)\n.*\nCall: tel:/s)
    expect(text).toContain(next)
  },
)

test('if the mailbox is read, replies go there; another spelling of the address is still the person', () => {
  const answer = answerWith({ to: 'ADA@example.com' })
  const email = answerEmail(sampleLead(), answer, answerTo, { ...sender, hasMailbox: true })

  expect(email.replyTo).toBeUndefined()
  expect(email.text).toContain('Ada Lovelace wrote:')
})

test('the copy of an answer says who the answer was for, and a reply to the copy goes to the visitor', async () => {
  const raw = await emailBytes(answerEmail(sampleLead(), answerWith(), copyTo, sender))
  const email = await PostalMime.parse(raw)

  expect(email).toMatchObject({
    from: { name: 'Our website' },
    to: [{ address: 'anna@agency.example' }],
    replyTo: [{ address: 'ada@example.com' }],
    subject: 'Copy: Your request Q-7K3M-9QXD',
  })
  expect(email.text).toContain('Your answer to Ada Lovelace <ada@example.com>:\n\nHello Ada,')
  expect(header(email, 'auto-submitted')).toBe('auto-generated')
})

test('the copy of an answer whose author is no owner any more says who that was', () => {
  const copy = answerEmail(sampleLead(), answerWith(), { ...copyTo, recipient: 'ben@agency.example' }, sender)

  expect(copy.text).toMatch(/^The answer of anna@agency.example to Ada Lovelace <ada@example.com>:\n/)
})

test.each([
  ['anna@agency.example', 'Anna'],
  ['ANNA.BERG+leads@agency.example', 'Anna'],
  ['jörg_b@agency.example', 'Jörg'],
  ['a.berg@agency.example', 'Berg'],
  ['hello@agency.example', ''],
  ['info.us@agency.example', ''],
  ['007@agency.example', ''],
  ['"<x>"@agency.example', ''],
])('the name taken from the address %s is %j', (address, name) => {
  expect(ownerName(address)).toBe(name)
})

test.each([
  ['Ada', 'anna@agency.example', `Hello Ada,\n\nThank you for your request.\n\n\n\nAnna\n${brand.name}`],
  ['Ada', 'hello@agency.example', `Hello Ada,\n\nThank you for your request.\n\n\n\n${brand.name}`],
])('the template of an answer to %s by %s has a greeting and a signature', (firstName, owner, template) => {
  expect(answerTemplate({ firstName, isFirst: true }, owner)).toBe(template)
  const later = template.replace('Thank you for your request.\n\n', '')
  expect(answerTemplate({ firstName, isFirst: false }, owner)).toBe(later)
})
