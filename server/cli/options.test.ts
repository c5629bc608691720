import { expect, test } from 'vitest'
import { address, reference } from './options.ts'

test.each([
  'ada@b.co',
  ' ada@b.co\u00a0',
  '<ada@b.co>',
  'mailto:ada@b.co',
  'MAILTO:ada%40b.co?subject=Your%20request',
  '<mailto:ada@b.co>',
  'Ada <ada@b.co>',
  'Ada Lovelace<ada@b.co>,',
  '"Lovelace, Ada <x>" <ada@b.co>;',
  '\u2068ada@b.co\u2069',
])('%j is parsed as ada@b.co', (copied) => {
  expect(address(copied)).toBe('ada@b.co')
})

test.each(["o'neil+x@b.co", 'a/b=c?d%41@b.co', "ada'@b.co", 'jörg@müller.example'])(
  '%s is kept unchanged',
  (typed) => {
    expect(address(typed)).toBe(typed)
  },
)

test.each([
  '',
  'ada',
  'ada@b.co, bob@b.co',
  'ada@b.co;bob@b.co',
  '<ada@b.co> <bob@b.co>',
  'ada@',
  '<>',
  '(ada@b.co)',
  "'ada@b.co'",
  'ada@b.co.',
  'mailto:%@b.co',
])('%j is rejected, because it is not exactly one valid address', (typed) => {
  expect(() => address(typed)).toThrow('Expected an email address')
})

test('`reference` converts a reference to its standard form, and only trims other text', () => {
  expect(['q7k3m9qxd', ' unclear '].map(reference)).toEqual(['Q-7K3M-9QXD', 'unclear'])
})
