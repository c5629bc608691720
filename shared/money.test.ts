import { expect, test } from 'vitest'
import { formatMoney, formatNumber } from './money.ts'

test('an amount has a separator between its groups of digits, and no cents', () => {
  for (const format of [formatNumber, formatMoney])
    expect(format(1_234_567.2).match(/\d+/g)?.slice(1)).toEqual([expect.any(String), '567'])
})
