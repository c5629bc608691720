import { expect, test } from 'vitest'
import { brand } from '#facts/brand.ts'
import { formatMoney, formatNumber } from './money.ts'

const options = { useGrouping: 'always', maximumFractionDigits: 0, numberingSystem: 'latn' } as const

test("our numbers and prices use the brand's locale and currency", () => {
  const { locale, currency } = brand

  expect(formatNumber(1_234_567)).toBe(new Intl.NumberFormat(locale, options).format(1_234_567))
  expect(formatMoney(1_234_567)).toBe(
    new Intl.NumberFormat(locale, { ...options, style: 'currency', currency }).format(1_234_567),
  )
})
