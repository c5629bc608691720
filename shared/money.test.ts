import { expect, test } from 'vitest'
import { formatsFor } from './money.ts'

test.each([
  ['en-US', 'USD', '1,234,567', '$1,234,567'],
  ['en-US', 'EUR', '1,234,567', '€1,234,567'],
  ['de-DE', 'EUR', '1.234.567', '1.234.567 €'],
  ['ar-EG', 'USD', '1,234,567', '1,234,567 US$'],
])(
  'in %s with %s, amounts have no cents, and are written like %j and %j',
  (locale, currency, number, money) => {
    const { formatNumber, formatMoney } = formatsFor(locale, currency)
    const written = [formatNumber(1_234_567.2), formatMoney(1_234_567.2)]

    expect(written.map((text) => text.replace(/[\s\u200e\u200f]+/g, ' ').trim())).toEqual([number, money])
  },
)
