import { expect, test } from 'vitest'
import { contactSchema } from '../contact-request.ts'
import { comparable } from './comparable-address.ts'

const emailOf = (email: unknown) =>
  contactSchema.safeParse({ firstName: 'Ada', lastName: 'Lovelace', message: 'Hello', email }).data?.email

test.each([
  // Addresses that browsers accept stay as they are.
  ['ada@example.com', 'ada@example.com'],
  ["o'brien+web@mail.example", "o'brien+web@mail.example"],
  ["'ada@example.com", "'ada@example.com"],
  ['ada@localhost', 'ada@localhost'],
  ['info@xn--bckerei-mller-bfb28a.example', 'info@xn--bckerei-mller-bfb28a.example'],
  // Domains with other letters.
  ['info@bäckerei-müller.example', 'info@xn--bckerei-mller-bfb28a.example'],
  ['info@пример.example', 'info@xn--e1afmkfd.example'],
])('the address %j becomes %j', (typed, expected) => {
  expect(emailOf(typed)).toBe(expected)
  expect(emailOf(expected)).toBe(expected)
})

test.each([
  // Blanks and invisible characters, names, labels, punctuation and wide characters, as pasted or
  // typed.
  ...[' ada@example.com\t', 'ada@example.com\u200b', 'ada\u200e@example.com', 'ada@exam\u00adple.com'],
  ...['ada @ example.com', 'ada@example.com\n', 'Ada <ada@example.com>', '<ada@example.com>'],
  ...['Ada Lovelace<ada@example.com>,', '\u2068ada@example.com\u2069'],
  ...['"Lovelace, Ada" <ada@example.com>', 'mailto:ada@example.com', 'Email: ada@example.com'],
  ...['"ada@example.com"', '(ada@example.com)', 'ada@example.com.', 'ada＠example.com'],
  'ada@example。com',
])('the address in %j is ada@example.com', (typed) => {
  expect(emailOf(typed)).toBe('ada@example.com')
})

test.each([
  ...['ada', 'ada@', 'a@b@c.example', 'ada@example.com, bob@example.com'],
  ...['Ada <ada@example.com>, Bob <bob@example.com>', 'ada@müller.example/path'],
  ...['x=?utf-8?b?eA==?=@example.com', `${'x'.repeat(250)}@b.co`, `x@${'ü.'.repeat(60)}example`, 5],
  'почта@пример.example',
])('%j is not exactly one address', (typed) => {
  expect(emailOf(typed)).toBeUndefined()
})

test.each([
  ['Ada.Lovelace@Example.COM.', 'ada.lovelace@example.com'],
  ['info@bäckerei-müller.example', 'info@xn--bckerei-mller-bfb28a.example'],
  ['"a@b"@müller.example', '"a@b"@xn--mller-kva.example'],
  ['E\u0301MILE@example.com', 'Émile@example.com'],
  ['Shell', 'shell'],
])('%j is compared as %j', (address, compared) => {
  expect(comparable(address)).toBe(compared)
})
