import { brand } from '#facts/brand.ts'
import { isLocale } from './find-number-pattern.ts'

/**
 * How the page writes numbers and dates. An invalid locale must not throw here, because find-invalid-fact.ts, which reports
 * it, loads this file.
 */
export const locale = isLocale(brand.locale) ? brand.locale : 'en'

/** How emails and the inbox write numbers and dates. Their sentences are always English, whatever the page's language. */
export const english = /^en\b/.test(locale) ? locale : 'en'
