import { expect, test } from 'vitest'
import { findEmailTypo } from './find-email-typo.ts'

test.each([
  ['ada@gmial.com', 'ada@gmail.com'],
  ['ada@GMAIL.co', 'ada@gmail.com'],
  ['ada@gmail.con', 'ada@gmail.com'],
  ['ada@yaho.com', 'ada@yahoo.com'],
  ['ada@iclould.com', 'ada@icloud.com'],
  ['ada@gamil.com', 'ada@gmail.com'],
  ['ada@gmail.cm', 'ada@gmail.com'],
  ['ada@gmailcom', 'ada@gmail.com'],
  ['ada@gmail', 'ada@gmail.com'],
  ['ada@g.mail.com', 'ada@gmail.com'],
  ['ada@hotmial.com', 'ada@hotmail.com'],
  ['ada@outloook.cmo', 'ada@outlook.com'],
  ['ada@comcast.ney', 'ada@comcast.net'],
  ['ada@protonmial.com', 'ada@protonmail.com'],
  ['ada@roofs.con', 'ada@roofs.com'],
  ['ada@roofs.nett', 'ada@roofs.net'],
  ['ada@roofs.ogr', 'ada@roofs.org'],
])('%s is corrected to %s', (typed, correction) => {
  expect(findEmailTypo(typed)).toEqual({ question: `Did you mean ${correction}?`, correction })
})

test.each([
  ...['ada@gmail.com', 'ada@ymail.com', 'ada@mail.com', 'ada@yahoo.co.uk', 'ada@acme.co', 'ada@gmx.de'],
  ...['ada@gmail.de', 'ada@me.com', 'ada@att.net', 'ada@proton.me', 'ada@horizon.net', 'ada@fastmail.com'],
  ...['ada@roofs.community', 'ada@mail.gmail.example', 'ada@roofs.example', 'ada', 'ada@', ''],
  ...['Ada <ada@gmail.com>', '<ada@yahoo.com>', '(ada@gmail.com)', '"ada@gmail.com"'],
])('no typo is found in %j', (typed) => {
  expect(findEmailTypo(typed)).toBeUndefined()
})

test('for an unknown domain without a dot, the result is a question without a correction', () => {
  expect(findEmailTypo('linus@example')).toEqual({
    question: 'Is this address complete? It has no dot after the @.',
  })
})
