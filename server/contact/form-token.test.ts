import { expect, test } from 'vitest'
import { createFormTokens } from './form-token.ts'

const start = new Date('2026-03-02T15:00:00Z')
const later = new Date(start.getTime() + 5000)
const tokens = createFormTokens('a key')

test('the age of a token is the time since it was issued, and each token differs', () => {
  expect(tokens.read(tokens.issue(start), later)?.ageMs).toBe(5000)
  expect(tokens.issue(start)).not.toBe(tokens.issue(start))
})

test.each([
  ['missing', undefined],
  ['empty', ''],
  ['a number', 5],
  ['not signed', String(start.getTime())],
  ['signed for another time', tokens.issue(start).replace(/^\d/, '2')],
  ['signed with another random part', tokens.issue(start).replace(/\..*\./, '.other.')],
  ['signed with another key', createFormTokens('another key').issue(start)],
  ['older than a day', tokens.issue(new Date(later.getTime() - 24 * 3600_000 - 1))],
  ['from the future', tokens.issue(new Date(later.getTime() + 1))],
])('a token that is %s has no known age', (_name, token) => {
  expect(tokens.read(token, later)).toBeUndefined()
})
