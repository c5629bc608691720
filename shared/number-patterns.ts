import { brand } from './business/brand.ts'
import { findNumberPattern, isCurrency, isLocale } from './find-number-pattern.ts'

// An invalid locale or currency must not throw here: find-invalid-fact.ts, which reports it, loads this module.
const locale = isLocale(brand.locale) ? brand.locale : 'en'
const currency = isCurrency(brand.currency) ? brand.currency : 'USD'

// The build inlines the values (vite.config.ts), because `Intl` would take 60 ms to load on a slow phone.
export const numberPattern = findNumberPattern(locale)
export const moneyPattern = findNumberPattern(locale, { style: 'currency', currency })
