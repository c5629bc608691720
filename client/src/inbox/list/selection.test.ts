import { expect, test } from 'vitest'
import { foundInWords } from './use-list.ts'
import { chosenAfter, rangeIn } from './use-selection.ts'

const all = ['a', 'b', 'c', 'd']

test.each([
  ['one more', ['a'], 'c', '', ['a', 'c']],
  ['one that is removed', ['a', 'c'], 'a', '', ['c']],
  ['a range downward', ['a'], 'c', 'a', ['a', 'b', 'c']],
  ['a range upward', ['d'], 'b', 'd', ['d', 'b', 'c']],
  ['a range whose end was selected', ['b', 'd'], 'd', 'b', ['b', 'd', 'c']],
  ['a range whose first row is gone', ['a'], 'c', 'gone', ['a', 'c']],
])('a press on a row selects %s', (_what, before, reference, last, chosen) => {
  expect(chosenAfter(before, reference, rangeIn(all, last, reference))).toEqual(chosen)
})

test.each([
  [0, false, ''],
  [1, false, 'One request found.'],
  [3, false, '3 requests found.'],
  [100, true, 'More than 100 requests found.'],
])('after a search with %i results (more: %j), a screen reader says "%s"', (count, hasMore, words) => {
  expect(foundInWords(count, hasMore)).toBe(words)
})
