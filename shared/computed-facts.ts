import { brand } from '#facts/brand.ts'
import type { Brand } from './fact-checks/facts.ts'

/**
 * What follows from the facts. An invalid fact must not throw here: find-invalid-fact.ts reports
 * it. These checks are rougher than those there, because asking `Intl` what it supports would take
 * 30 ms on a slow phone.
 */
export function computeFacts(facts: Pick<Brand, 'locale' | 'currency'>) {
  const locale = isWellFormed(facts.locale) ? facts.locale : 'en'
  return {
    /** How the page writes numbers and dates. */
    locale,
    /**
     * How emails and the inbox write numbers and dates. Their sentences are always English,
     * whatever the page's language.
     */
    english: /^en\b/.test(locale) ? locale : 'en',
    /** The currency of all prices. `XXX` means "no currency". */
    currency: /^[A-Z]{3}$/.test(facts.currency) ? facts.currency : 'XXX',
  }
}

export const { locale, english, currency } = computeFacts(brand)

function isWellFormed(tag: string): boolean {
  try {
    return Boolean(new Intl.Locale(tag))
  } catch {
    return false
  }
}
