import { expect, test } from 'vitest'
import { contactSchema } from './contact-request.ts'

const emailOf = (email: unknown) =>
  contactSchema.safeParse({ firstName: 'Ada', lastName: 'Lovelace', message: 'Hello', email }).data?.email

const ada = 'ada@example.com'

test.each([
  // Addresses that browsers accept stay as they are.
  ['ada@example.com', ada],
  ['Ada.Lovelace@Example.COM', 'Ada.Lovelace@Example.COM'],
  ["o'brien+web@mail.example", "o'brien+web@mail.example"],
  ["'ada@example.com", "'ada@example.com"],
  ['ada@localhost', 'ada@localhost'],
  ['info@xn--bckerei-mller-bfb28a.example', 'info@xn--bckerei-mller-bfb28a.example'],
  // Blanks and invisible characters, as pasted from chats, PDF files and address books.
  [' ada@example.com\t', ada],
  ['\u3000ada@example.com\u3000', ada],
  ['\u00a0ada@example.com', ada],
  ['ada@example.com\u200b', ada],
  ['\ufeffada@example.com', ada],
  ['ada\u200e@example.com', ada],
  ['\u202aada@example.com\u202c', ada],
  ['\u2068ada@example.com\u2069', ada],
  ['ada@exam\u00adple.com', ada],
  ['ada\u2060@example.com', ada],
  ['ada@example.com\u0003', ada],
  ['ada @ example.com', ada],
  ['ada@example.com\n', ada],
  ['ada@\u200dexample.com', ada],
  // Names, labels and punctuation around it.
  ['Ada <ada@example.com>', ada],
  ['"Lovelace, Ada" <ada@example.com>', ada],
  ['Ada Lovelace <ada@example.com>;', ada],
  ['<ada@example.com>', ada],
  ['mailto:ada@example.com', ada],
  ['Email: ada@example.com', ada],
  ['E-mail : ada@example.com', ada],
  ['"ada@example.com"', ada],
  ["'ada@example.com'", ada],
  ['(ada@example.com)', ada],
  ['[ada@example.com]', ada],
  ['ada@example.com.', ada],
  ['ada@example.com,', ada],
  ['ada@example.com;', ada],
  // Wide characters, as typed with a Chinese or Japanese keyboard.
  ['ada＠example.com', ada],
  ['ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ', ada],
  ['ada@example。com', 'ada@example.com'],
  ['ada﹫example.com', ada],
  // Domains with other letters.
  ['info@bäckerei-müller.example', 'info@xn--bckerei-mller-bfb28a.example'],
  ['INFO@Bäckerei-Müller.example', 'INFO@xn--bckerei-mller-bfb28a.example'],
  ['info@ba\u0308ckerei.example', 'info@xn--bckerei-5wa.example'],
  ['post@straße.example', 'post@xn--strae-oqa.example'],
  ['почта@пример.example', undefined],
  ['info@пример.example', 'info@xn--e1afmkfd.example'],
  ['info@例え.example', 'info@xn--r8jz45g.example'],
  ['Jo <jo@smørrebrød.example>', 'jo@xn--smrrebrd-64af.example'],
  ['info@مثال.example', 'info@xn--mgbh0fb.example'],
  // No address, or not the only one.
  ['ada', undefined],
  ['ada@', undefined],
  ['@example.com', undefined],
  ['none', undefined],
  ['a b@example.com', undefined],
  ['a@b@c.example', undefined],
  ['ada@example.com, bob@example.com', undefined],
  ['ada@example.com bob@example.com', undefined],
  ['Ada <ada@example.com>, Bob <bob@example.com>', undefined],
  ['ada@-example.com', undefined],
  ['ada@exam ple.com', undefined],
  ['ada@müller.example/path', undefined],
  ['ada@müller.example:25', undefined],
  ['"a"@example.com', undefined],
  ['x=?utf-8?b?eA==?=@example.com', undefined],
  ['Ada <x=?utf-8?b?eA==?=@example.com>', undefined],
  [`${'x'.repeat(250)}@b.co`, undefined],
  [`x@${'ü.'.repeat(60)}example`, undefined],
  [5, undefined],
])('the address %j becomes %j', (typed, expected) => {
  expect(emailOf(typed)).toBe(expected)
  if (expected) expect(emailOf(expected)).toBe(expected)
})
