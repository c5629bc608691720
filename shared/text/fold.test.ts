import { expect, test } from 'vitest'
import { digitsOf, fold, foldSpellings, isNumeric, withoutZeros } from './fold.ts'

test.each([
  ['O"Neil\n\n"and"   `sons`', "o'neil 'and' 'sons'"],
  ['Ünal\u3000\u3000–\u00a0Şahin – Co', 'unal - sahin - co'],
  ['۰۱۲۳ ٤٥٦', '0123 456'],
])('%j is folded to %j', (text, folded) => {
  expect(fold(text)).toBe(folded)
})

test.each([
  ['Åse', ['ase', 'aase']],
  ['A\u030ase', ['ase', 'aase']],
  ['Åsö', ['asoe', 'aasoe']],
  ['Müller', ['muller', 'mueller']],
  ['Mueller', ['mueller', 'muller']],
])('people search for %j as %j', (name, spellings) => {
  expect(foldSpellings(name)).toEqual(expect.arrayContaining(spellings))
})

test('of a number, the zeros that are dialed only sometimes are left out', () => {
  expect(digitsOf('+49 (0)30 901820')).toBe('4930901820')
  expect(['0049301', '00001'].map(withoutZeros)).toEqual(['49301', '0001'])
  expect(['(030) 90/18.20-1', '030 ext 1'].map(isNumeric)).toEqual([true, false])
})
