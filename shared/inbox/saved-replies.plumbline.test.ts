import { expect, test } from 'vitest'
import { fillIn, unknownIn } from './saved-replies.ts'

test.each([
  ['{quote date}', 'Tuesday, December 1'],
  ['{quote date fr}', 'mardi 1 décembre'],
  ['{ Quote_Date pt-BR }', 'terça-feira, 1 de dezembro'],
  ['{quote date zh hant tw}', '12月1日星期二'],
])('%s is only a day, in the language that it names', (text, day) => {
  const now = new Date('2026-11-30T15:00:00Z')
  expect(fillIn(text, { firstName: '', budget: '', signature: '', now })).toBe(day)
  expect(unknownIn(text)).toEqual([])
})
