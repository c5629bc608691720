import { brand } from '../../../shared/business/brand.ts'
import { portfolio } from '../../../shared/business/portfolio.ts'

const domain = brand.email.replace(/.*@/, '')
const names = [brand.name, brand.legalName, domain, ...portfolio.flatMap(({ id, title }) => [id, title])]
const others = [brand.slogan, brand.city, brand.phone, brand.phoneLink.replace('+', ''), brand.currency]

const anyOf = (words: readonly string[]) => words.map((word) => word.replace(/[().+]/g, '\\$&')).join('|')
const name = new RegExp(anyOf(names), 'i')
// Matches only whole words, because short ones, such as the currency, are also parts of other words.
const other = new RegExp(`\\b(?:${anyOf(others)})\\b|(?<!\\w)(?:${anyOf([brand.phone])})`, 'i')
const price = /\$\d/

/**
 * Returns the first agency's words, and dollar prices, that occur in `text`. Ignores prices in code, where `$1` has another
 * meaning. In binary files, such as pictures, it looks only for names, because shorter words can occur there by chance.
 */
export function findTraces(text: string, kind: 'text' | 'code' | 'bytes' = 'text'): string[] {
  const patterns = { text: [name, other, price], code: [name, other], bytes: [name] }[kind]
  return patterns.flatMap((pattern) => pattern.exec(text)?.[0] ?? [])
}
