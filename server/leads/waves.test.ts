import { expect, test } from 'vitest'
import { toWaves } from './waves.ts'

/** Each letter of an item is a key. */
const split = (...items: string[]) => toWaves(items, (item) => [...item])

test('items without a common key are in one wave', () => {
  expect(split('a', 'bc', '', 'd')).toEqual([['a', 'bc', '', 'd']])
})

test('an item is in a later wave than the earlier items with which it has a key in common', () => {
  expect(split('a', 'ab', 'c', 'b', 'ac', 'd')).toEqual([['a', 'c', 'd'], ['ab'], ['b', 'ac']])
})
