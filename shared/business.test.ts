import { assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { formatDollars, formatNumber } from './business/plans.ts'

test('numbers are grouped as in the United States', () => {
  const american = new Intl.NumberFormat('en-US')
  assert(property(integer({ min: 0 }), (number) => formatNumber(number) === american.format(number)))
  expect(formatNumber(5000)).toBe('5,000')
  expect(formatDollars(1_234_567)).toBe('$1,234,567')
})
