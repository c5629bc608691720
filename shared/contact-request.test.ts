import { expect, test } from 'vitest'
import { addScheme, contactSchema, fieldErrors } from './contact-request.ts'

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
  ['phone', 40],
  ['company', 200],
  ['message', 5000],
] as const)('%s accepts at most %i characters', (field, bound) => {
  expect(parse({ [field]: 'x'.repeat(bound) }).success).toBe(true)
  expect(messagesFor({ [field]: 'x'.repeat(bound + 1) })).toMatchObject([{ field }])
})

test.each([
  ['example.com', 'https://example.com'],
  ['www.example.com/about us', 'https://www.example.com/about us'],
  ['example.com:8080', 'https://example.com:8080'],
  ['http://example.com', 'http://example.com'],
  ['https://localhost', 'https://localhost'],
  ['', ''],
])('the website %j becomes %j', (typed, stored) => {
  expect(addScheme(typed)).toBe(stored)
  expect(parse({ website: typed }).data?.website).toBe(stored)
})

test.each([
  'ftp://example.com',
  'javascript:alert(1)',
  'none',
  'https://',
  'a b.com c',
  'mailto:a@example.com',
])('the website %j is rejected with a message', (website) => {
  expect(messagesFor({ website })).toEqual([
    { field: 'website', message: 'Please enter a web address like https://example.com.' },
  ])
})

test('each missing required field has its own error message', () => {
  const { error } = contactSchema.safeParse({})

  expect(error && fieldErrors(error)).toEqual([
    { field: 'firstName', message: 'Please enter your first name.' },
    { field: 'lastName', message: 'Please enter your last name.' },
    { field: 'email', message: 'Please enter your email.' },
    { field: 'message', message: 'Please enter your message.' },
  ])
})

test('an email address is valid if browsers accept it', () => {
  expect(messagesFor({ email: "o'brien+web@mail.example" })).toEqual([])
  for (const email of [
    'ada',
    'ada@',
    'a b@example.com',
    'a@b@c.example',
    '"a"@example.com',
    `${'x'.repeat(250)}@b.co`,
  ])
    expect(messagesFor({ email })).toMatchObject([{ field: 'email' }])
})

test('right-to-left names are accepted, and characters that change the text direction are removed', () => {
  expect(messagesFor({ firstName: 'יעל' })).toEqual([])
  const withControls = {
    firstName: '\u2068Ada\u2069',
    phone: '\u202d(312) 555-0177\u202c',
    company: 'moc.elpmaxe\u202e',
  }
  expect(parse(withControls).data).toMatchObject({
    firstName: 'Ada',
    phone: '(312) 555-0177',
    company: 'moc.elpmaxe',
  })
  expect(messagesFor({ firstName: '\u202e\u202c' })).toMatchObject([{ field: 'firstName' }])
})

test.each([
  '\u202aada@example.com\u202c',
  'ada@example.com\u200b',
  '\ufeffada@example.com',
  'ada\u200e@example.com',
])('invisible characters are removed from the pasted address %j', (email) => {
  expect(parse({ email }).data).toMatchObject({ email: 'ada@example.com' })
})

test.each([
  ['line feed', '\n'],
  ['line separator', '\u2028'],
  ['paragraph separator', '\u2029'],
  ['next line', '\u0085'],
  ['vertical tab', '\v'],
  ['deprecated format character', '\u206c'],
  ['interlinear annotation', '\ufff9'],
])('single-line fields reject this character: %s', (_name, character) => {
  for (const field of ['firstName', 'lastName', 'phone', 'company', 'website', 'email'] as const)
    expect(messagesFor({ [field]: `a${character}b` })).toMatchObject([{ field }])
})

test('an email address that email programs would decode into different text is rejected', () => {
  for (const email of ['=?utf-8?Q?support=40bank.example?=@example.com', 'x=?utf-8?b?eA==?=@example.com'])
    expect(messagesFor({ email })).toMatchObject([{ field: 'email' }])
  for (const email of ['a=b?c@example.com', 'x=?y@example.com']) expect(messagesFor({ email })).toEqual([])
})

test('more than 30 combining marks in a row are rejected', () => {
  const unreadable = [{ field: 'message', message: expect.stringContaining('cannot be read') }]

  expect(messagesFor({ message: `a${'\u0301'.repeat(30)} b${'\u0f73'.repeat(30)}` })).toEqual([])
  expect(messagesFor({ message: `a${'\u0301'.repeat(31)}` })).toEqual(unreadable)
  expect(messagesFor({ message: `a${'\u0344\u0f73'.repeat(16)}` })).toEqual(unreadable)
})

test.each([
  'בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים',
  'བསྒྲུབས་ཧཱུྃ',
  'ที่นี้ ผู้ใหญ่',
  'हिन्दी क्ष्म्य',
  'ထမင်းကြော်ပြီး',
  'Nguyễn Thị Ngọc Ánh',
  '각국 한글',
])('the combining marks of real languages are kept: %s', (message) => {
  expect(parse({ message: message.normalize('NFD') }).data?.message).toBe(message.normalize('NFC'))
})
