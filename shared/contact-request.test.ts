import { expect, test } from 'vitest'
import { plans } from '#facts/plans.ts'
import { budgetTiers } from './budget-tiers.ts'
import { contactFields, contactSchema, fieldErrors } from './contact-request.ts'

const valid = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com', message: 'Hello' }
const parse = (changes: object) => contactSchema.safeParse({ ...valid, ...changes })
const messagesFor = (changes: object) => {
  const { error } = parse(changes)
  return error ? fieldErrors(error) : []
}

test('text is trimmed, and its line breaks and accents are normalized', () => {
  const result = parse({ firstName: '  Rene\u0301 ', message: 'a\r\nb\rc\td ' })

  expect(result.data).toMatchObject({ firstName: 'Ren\u00e9', message: 'a\nb\nc\td' })
})

test.each([
  ['firstName', 100],
  ['lastName', 100],
  ['message', 5000],
] as const)('%s accepts at most %i characters', (field, bound) => {
  expect(parse({ [field]: 'x'.repeat(bound) }).success).toBe(true)
  expect(messagesFor({ [field]: 'x'.repeat(bound + 1) })).toMatchObject([{ field }])
})

const optionalFields = { phone: 40, company: 200, website: 2048, budget: 1 }

test.each(Object.entries(optionalFields))('nothing in the field %s stops a request', (field, maxLength) => {
  const texts = [
    'none',
    '-',
    'https://',
    'javascript:alert(1)',
    '\u0007',
    `a${'\u0301'.repeat(50)}`,
    '\ud800',
  ]
  const long = ['x'.repeat(10_000), `x${'🙂'.repeat(5_000)}`, `${'x'.repeat(maxLength - 1)} x`]
  for (const value of [...texts, ...long, null, undefined, 5, [], {}]) {
    const stored = String(parse({ [field]: value }).data?.[field as 'phone'])
    expect(stored.length).toBeLessThanOrEqual(maxLength)
    expect(stored).toBe(stored.toWellFormed().trim())
  }
})

test('an optional field keeps what was typed, cut to what the browser lets people type', () => {
  const typed = { phone: 'after 5pm', company: '-', website: 'N/A', budget: plans[0].id }

  expect(parse(typed).data).toMatchObject(typed)
  expect(parse({ phone: 3125550199, budget: 'gold', company: 'x'.repeat(300) }).data).toMatchObject({
    phone: '3125550199',
    budget: '',
    company: 'x'.repeat(200),
  })
  for (const budget of Object.keys(budgetTiers)) expect(parse({ budget }).data?.budget).toBe(budget)
})

test('without JavaScript, the browser refuses only a blank name', () => {
  const whole = new RegExp(`^(?:${contactFields.lastName.input.pattern})$`, 'v')
  expect([' Ada B ', '-', '  '].map((name) => whole.test(name))).toEqual([true, true, false])
})

test('each missing required field has its own error message', () => {
  expect(messagesFor({ firstName: undefined, lastName: ' ', email: '\n', message: null })).toEqual([
    { field: 'firstName', message: 'Please enter your first name.' },
    { field: 'lastName', message: 'Please enter your last name, or "-".' },
    { field: 'email', message: 'Please enter your email.' },
    { field: 'message', message: 'Please enter your message.' },
  ])
})

test('an email address that is too long is not examined further', () => {
  const message = 'Email: please use at most 254 characters.'

  expect(parse({ email: 'x'.repeat(255) }).error?.issues).toMatchObject([{ message }])
})

test.each([
  ['vertical tab', '\v', ' ', '\n'],
  ['empty line', '\r\n\n', ' ', '\n\n'],
  ['paragraph separator', '\u2029', ' ', '\n'],
  ['NUL', '\0', '', ''],
  ['half an emoji', '\ud83d', '', ''],
  ['deprecated format character', '\u206c', '', '\u206c'],
])('pasted text can contain this character: %s', (_name, character, inLine, inMessage) => {
  const pasted = `a${character}b`

  for (const field of ['firstName', 'lastName', 'phone', 'company', 'website'] as const)
    expect(parse({ [field]: pasted }).data?.[field]).toBe(`a${inLine}b`)
  expect(parse({ message: pasted }).data?.message).toBe(`a${inMessage}b`)
})

test('of more than 30 combining marks in a row, 30 are kept', () => {
  const marks = 'a\u0316'.normalize('NFC') + '\u0316'.repeat(29)

  const pasted = `a${'\u0316'.repeat(300)} `
  expect(parse({ message: pasted + pasted }).data?.message).toBe(`${marks} ${marks}`)
})

test.each(['בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים', 'ที่นี้ ผู้ใหญ่', 'हिन्दी क्ष्म्य', 'Nguyễn Thị Ngọc Ánh', '각국 한글'])(
  'the combining marks of real languages are kept: %s',
  (message) => {
    expect(parse({ message: message.normalize('NFD') }).data?.message).toBe(message.normalize('NFC'))
  },
)
