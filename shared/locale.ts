import { brand } from '#facts/brand.ts'
import { isLocale } from './find-number-pattern.ts'

/** How the page writes numbers and dates. find-invalid-fact.ts reports an invalid locale; it can't if this doesn't load. */
export const locale = isLocale(brand.locale) ? brand.locale : 'en'

/** How emails and the inbox write them: their sentences are English, in whatever language the page is. */
export const english = /^en\b/.test(locale) ? locale : 'en'
