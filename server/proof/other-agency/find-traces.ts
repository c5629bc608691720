import { brand } from '../../../shared/business/brand.ts'
import { portfolio } from '../../../shared/business/portfolio.ts'

const domain = brand.email.replace(/.*@/, '')
const names = [brand.name, brand.legalName, domain, ...portfolio.flatMap(({ id, title }) => [id, title])]
const others = [brand.slogan, brand.city, brand.phone, brand.phoneLink.replace('+', ''), brand.currency]

const anyOf = (words: readonly string[]) => words.map((word) => word.replace(/[().+]/g, '\\$&')).join('|')
const name = new RegExp(anyOf(names), 'i')
// Short words, such as the currency, are parts of others.
const other = new RegExp(`\\b(?:${anyOf(others)})\\b|(?<!\\w)(?:${anyOf([brand.phone])})`, 'i')
const price = /\$\d/

/** What the text shows of the first agency. In code, `$1` isn't a price; in pictures, short words can occur by chance. */
export function findTraces(text: string, kind: 'text' | 'code' | 'bytes' = 'text'): string[] {
  const patterns = { text: [name, other, price], code: [name, other], bytes: [name] }[kind]
  return patterns.flatMap((pattern) => pattern.exec(text)?.[0] ?? [])
}
