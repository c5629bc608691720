import { expect, test } from 'vitest'
import { computeFacts } from './computed-facts.ts'

test.each([
  ['en-GB', 'GBP', 'en-GB', 'en-GB', 'GBP'],
  ['de-DE', 'EUR', 'de-DE', 'en', 'EUR'],
  ['en_GB', 'USD', 'en', 'en', 'USD'],
  ['en-US', 'dollars', 'en-US', 'en-US', 'XXX'],
])(
  'with the locale %s and the currency %s, pages are in %s, emails in %s, and prices in %s',
  (tag, code, locale, english, currency) => {
    expect(computeFacts({ locale: tag, currency: code })).toEqual({ locale, english, currency })
  },
)
