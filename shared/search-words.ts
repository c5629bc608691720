import { replaceInvisible } from './invisible-characters.ts'

// Shorter parts of a word are only found at its beginning.
const SHORTEST_PART = 3
const LONGEST_WORD = 64
// Enough to identify a phone number; whatever comes before is a country code or a trunk zero.
const PHONE_DIGITS = 9
const FEWEST_DIGITS = 4
const MAX_TERMS = 8

type Searchable = {
  reference: string
  first_name: string
  last_name: string
  email: string
  phone: string
  company: string
  website: string
  message: string
}

/** The words under which a lead is found: every part of a name, address or number, and the words of the message. */
export function indexWords(lead: Searchable): string[] {
  const { first_name, last_name, email, company, website, message } = lead
  const inParts = [
    ...wordsOf([first_name, last_name, email, company, website].join(' ')),
    digitsOf(fold(lead.phone)),
    wordsOf(lead.reference).join(''),
  ]
  return [...new Set([...inParts.flatMap(partsOf), ...wordsOf(message)])]
}

/** The beginnings of words that a lead must all have to match a search. Empty if there is nothing to search for. */
export function searchTerms(search: string): string[] {
  const folded = fold(search).trim()
  if (isNumber(folded)) return [digitsOf(folded).slice(-PHONE_DIGITS)]
  const terms = folded.split(' ').flatMap((part) => {
    if (isNumber(part)) return [digitsOf(part).slice(-PHONE_DIGITS)]
    return /^(q-)?[0-9a-z]{4}-[0-9a-z]{4}$/.test(part) ? [part.replaceAll('-', '')] : wordsOf(part)
  })
  return [...new Set(terms)].slice(0, MAX_TERMS)
}

/** Folds text for searching: "MÜLLER", "müller" and "Muller" are the same, and so are all quotes, dashes and spaces. */
export const fold = (text: string): string =>
  replaceInvisible(text.replace(blank, ' '), () => '')
    .replace(/ {2,}/g, ' ')
    .replace(quote, "'")
    // In small parts: normalizing takes quadratic time in the number of combining marks.
    .replace(/[^\0-\x7f]{1,32}/gu, (part) => part.normalize('NFKD'))
    .replace(/\p{M}/gu, '')
    .replace(/\p{Dash}/gu, '-')
    .toLowerCase()

// Not the byte order mark, which is invisible.
const blank = /[^\S\ufeff]/g
// Replaced before decomposition, which turns a standalone accent into a space.
const quote = /[\p{Quotation_Mark}`´\u02b9-\u02bf\u2032-\u2037]/gu

const wordsOf = (text: string): string[] =>
  (fold(text).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => word.slice(0, LONGEST_WORD))

/** The word and its endings: "berg" is found in "lindberg" as the beginning of an ending. */
const partsOf = (word: string): string[] =>
  word === ''
    ? []
    : Array.from({ length: Math.max(1, word.length - SHORTEST_PART + 1) }, (_, start) => word.slice(start))

const isNumber = (text: string) => /^[\d ()+./-]*$/.test(text) && digitsOf(text).length >= FEWEST_DIGITS
const digitsOf = (text: string) => text.replace(/\( ?0 ?\)|\D/g, '')
