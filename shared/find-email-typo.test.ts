import { expect, test } from 'vitest'
import { findEmailTypo } from './find-email-typo.ts'

test.each([
  ['ada@gmial.com', 'ada@gmail.com'],
  ['ada@gmal.com', 'ada@gmail.com'],
  ['ada@gmaill.com', 'ada@gmail.com'],
  ['ada@GMAIL.co', 'ada@gmail.com'],
  ['ada@gmail.con', 'ada@gmail.com'],
  ['ada@gmial.con', 'ada@gmail.com'],
  ['ada@yaho.com', 'ada@yahoo.com'],
  ['ada@hotnail.com', 'ada@hotmail.com'],
  ['ada@outlok.com', 'ada@outlook.com'],
  ['ada@iclould.com', 'ada@icloud.com'],
  ['ada@roofs.con', 'ada@roofs.com'],
])('%s is corrected to %s', (typed, correction) => {
  expect(findEmailTypo(typed)).toEqual({ question: `Did you mean ${correction}?`, correction })
})

test.each([
  'ada@gmail.com',
  'ada@Gmail.com',
  'ada@ymail.com',
  'ada@mail.com',
  'ada@email.com',
  'ada@yahoo.co.uk',
  'ada@hotmail.fr',
  'ada@acme.co',
  'ada@gmx.com',
  'ada@roofs.example',
  'ada',
  'ada@',
  '',
])('%j has no typo', (typed) => {
  expect(findEmailTypo(typed)).toBeUndefined()
})

test('a domain without a dot gets a question, not a correction', () => {
  expect(findEmailTypo('linus@example')).toEqual({
    question: 'Is this address complete? It has no dot after the @.',
  })
})
