import { brand } from '#facts/brand.ts'
import { findNumberPattern, isCurrency } from './find-number-pattern.ts'
import { locale } from './locale.ts'

// An invalid currency must not throw here: find-invalid-fact.ts, which reports it, loads this module.
const currency = isCurrency(brand.currency) ? brand.currency : 'USD'

// The build inlines the values (vite.config.ts), because `Intl` would take 60 ms to load on a slow phone.
export const numberPattern = findNumberPattern(locale)
export const moneyPattern = findNumberPattern(locale, { style: 'currency', currency })
