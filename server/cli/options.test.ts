import { expect, test } from 'vitest'
import { atOffice } from '../proof/testing/at-office.ts'
import { address, reference, since } from './options.ts'

test.each([
  'ada@b.co',
  ' ada@b.co\u00a0',
  '<ada@b.co>',
  'mailto:ada@b.co',
  'Ada <ada@b.co>',
  'Ada Lovelace<ada@b.co>,',
  '"Lovelace, Ada" <ada@b.co>;',
  '\u2068ada@b.co\u2069',
])('%j is parsed as ada@b.co', (copied) => {
  expect(address(copied)).toBe('ada@b.co')
})

test.each(["o'neil+x@b.co", 'a/b=c?d%41@b.co', "ada'@b.co"])('%s is kept unchanged', (typed) => {
  expect(address(typed)).toBe(typed)
})

test.each(['', 'ada', 'ada@b.co, bob@b.co', 'ada@b.co;bob@b.co', '<ada@b.co> <bob@b.co>', 'ada@', '<>'])(
  '%j is rejected, because it is not exactly one valid address',
  (typed) => {
    expect(() => address(typed)).toThrow('Expected an email address')
  },
)

test('`reference` converts a reference to its standard form, and only trims other text', () => {
  expect(['q7k3m9qxd', ' unclear '].map(reference)).toEqual(['Q-7K3M-9QXD', 'unclear'])
})

// An evening at the office. If the office is in New York, for example, it is already the next day in UTC.
const now = atOffice('2026-03-20T21:30')

test.each([
  ['today', '2026-03-20T00:00'],
  ['yesterday', '2026-03-19T00:00'],
  ['2026-03-02', '2026-03-02T00:00'],
  ['12h', '2026-03-20T09:30'],
  ['7d', '2026-03-13T21:30'],
  ['1w', '2026-03-13T21:30'],
])('--since %s means %s', (text, expected) => {
  expect(since(text, now)).toEqual(atOffice(expected))
})

test.each(['', 'soon', '2026-02-30', '7y', '99999d', '3/31/2026', '-1d', 'toString'])(
  '--since %j is invalid',
  (text) => {
    expect(() => since(text, now)).toThrow('Expected a day')
  },
)
