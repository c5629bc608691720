import { expect, test } from 'vitest'
import { atOffice } from '../proof/testing/leads.ts'
import { address, since } from './options.ts'

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

test.each(['', 'ada', 'ada@b.co, bob@b.co', 'ada@b.co;bob@b.co', '<ada@b.co> <bob@b.co>', 'ada@', '<>'])(
  '%j is rejected, because it is not exactly one valid address',
  (typed) => {
    expect(() => address(typed)).toThrow('Expected an email address')
  },
)

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
