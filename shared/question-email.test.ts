import { expect, test } from 'vitest'
import { questionEmail } from './question-email.ts'

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
])('for %s, %s is suggested', (typed, meant) => {
  expect(questionEmail(typed)).toEqual({ question: `Did you mean ${meant}?`, meant })
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
])('%j raises no question', (typed) => {
  expect(questionEmail(typed)).toBeUndefined()
})

test('an address without a dot in its domain raises a question without a suggestion', () => {
  expect(questionEmail('linus@example')).toEqual({
    question: 'Is this address complete? It has no dot after the @.',
  })
})
