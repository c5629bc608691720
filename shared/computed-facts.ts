import { brand } from '#facts/brand.ts'
import { findNumberPattern, isCurrency, isLocale } from './numbers.ts'

// What follows from the facts, as plain values. The build inlines them (vite.config.ts), because calculating them with `Intl`
// would take 60 ms on a slow phone. An invalid fact must not throw here: find-invalid-fact.ts reports it.

/** How the page writes numbers and dates. */
export const locale = isLocale(brand.locale) ? brand.locale : 'en'

/** How emails and the inbox write numbers and dates. Their sentences are always English, whatever the page's language. */
export const english = /^en\b/.test(locale) ? locale : 'en'

const currency = isCurrency(brand.currency) ? brand.currency : 'USD'

export const numberPattern = findNumberPattern(locale)
export const moneyPattern = findNumberPattern(locale, { style: 'currency', currency })
