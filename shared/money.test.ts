import { assert, constantFrom, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { brand } from '#facts/brand.ts'
import { formatMoney, formatNumber } from './money.ts'
import { findNumberPattern, writeNumber } from './numbers.ts'

const options = { useGrouping: 'always', maximumFractionDigits: 0, numberingSystem: 'latn' } as const
const locales = ['en-US', 'en-GB', 'en-IN', 'de-DE', 'de-CH', 'fr-FR', 'es-ES', 'pl-PL', 'ja-JP', 'ar-EG']
const currencies = ['USD', 'GBP', 'EUR', 'INR', 'JPY']

test('numbers and prices are written as `Intl` writes them in each locale', () => {
  assert(
    property(
      constantFrom(...locales),
      constantFrom(...currencies),
      integer({ min: 0 }),
      (locale, currency, number) => {
        const money = { style: 'currency', currency } as const
        for (const style of [{}, money])
          expect(writeNumber(findNumberPattern(locale, style), number)).toBe(
            new Intl.NumberFormat(locale, { ...options, ...style }).format(number),
          )
      },
    ),
  )
})

test("our numbers and prices use the brand's locale and currency", () => {
  const { locale, currency } = brand

  expect(formatNumber(1_234_567)).toBe(new Intl.NumberFormat(locale, options).format(1_234_567))
  expect(formatMoney(1_234_567)).toBe(
    new Intl.NumberFormat(locale, { ...options, style: 'currency', currency }).format(1_234_567),
  )
})
