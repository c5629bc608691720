import { expect, test } from 'vitest'
import { contactSchema } from './contact-request.ts'

const emailOf = (email: unknown) =>
  contactSchema.safeParse({ firstName: 'Ada', lastName: 'Lovelace', message: 'Hello', email }).data?.email

const ada = 'ada@example.com'

test.each([
  // Addresses that browsers accept stay as they are.
  ['ada@example.com', ada],
  ["o'brien+web@mail.example", "o'brien+web@mail.example"],
  ["'ada@example.com", "'ada@example.com"],
  ['ada@localhost', 'ada@localhost'],
  ['info@xn--bckerei-mller-bfb28a.example', 'info@xn--bckerei-mller-bfb28a.example'],
  // Blanks and invisible characters, as pasted from chats, PDF files and address books.
  [' ada@example.com\t', ada],
  ['ada@example.com\u200b', ada],
  ['ada\u200e@example.com', ada],
  ['ada@exam\u00adple.com', ada],
  ['ada @ example.com', ada],
  ['ada@example.com\n', ada],
  // Names, labels and punctuation around it.
  ['Ada <ada@example.com>', ada],
  ['"Lovelace, Ada" <ada@example.com>', ada],
  ['mailto:ada@example.com', ada],
  ['Email: ada@example.com', ada],
  ['"ada@example.com"', ada],
  ['(ada@example.com)', ada],
  ['ada@example.com.', ada],
  // Wide characters, as typed with a Chinese or Japanese keyboard.
  ['ada＠example.com', ada],
  ['ada@example。com', 'ada@example.com'],
  // Domains with other letters.
  ['info@bäckerei-müller.example', 'info@xn--bckerei-mller-bfb28a.example'],
  ['почта@пример.example', undefined],
  ['info@пример.example', 'info@xn--e1afmkfd.example'],
  // No address, or not the only one.
  ['ada', undefined],
  ['ada@', undefined],
  ['a@b@c.example', undefined],
  ['ada@example.com, bob@example.com', undefined],
  ['Ada <ada@example.com>, Bob <bob@example.com>', undefined],
  ['ada@müller.example/path', undefined],
  ['x=?utf-8?b?eA==?=@example.com', undefined],
  [`${'x'.repeat(250)}@b.co`, undefined],
  [`x@${'ü.'.repeat(60)}example`, undefined],
  [5, undefined],
])('the address %j becomes %j', (typed, expected) => {
  expect(emailOf(typed)).toBe(expected)
  if (expected) expect(emailOf(expected)).toBe(expected)
})
