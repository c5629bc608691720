import { brand } from '#facts/brand.ts'

// What follows from the facts. An invalid fact must not throw here: find-invalid-fact.ts reports it. These checks are rougher
// than those there, because asking `Intl` what it supports would take 30 ms on a slow phone.

/** How the page writes numbers and dates. */
export const locale = isWellFormed(brand.locale) ? brand.locale : 'en'

/** How emails and the inbox write numbers and dates. Their sentences are always English, whatever the page's language. */
export const english = /^en\b/.test(locale) ? locale : 'en'

/** The currency of all prices. `XXX` means "no currency". */
export const currency = /^[A-Z]{3}$/.test(brand.currency) ? brand.currency : 'XXX'

function isWellFormed(tag: string): boolean {
  try {
    return Boolean(new Intl.Locale(tag))
  } catch {
    return false
  }
}
