import { digitsOf, fold, foldSpellings, isAscii, isNumeric, withoutZeros } from './fold.ts'

// A search for fewer letters than this finds only words that begin with them.
const MIN_PART_LENGTH = 3
const MAX_WORD_LENGTH = 64
// Parts of a word that start after this many letters are not found.
const MAX_PARTS = 254
// In languages without spaces, any part up to this length is found. Longer searches are split into parts of this length.
const UNSPACED_PART_LENGTH = 4
// A search for a phone number uses only this many of its last digits: the rest is a country or area code.
const PHONE_DIGITS = 7
const MIN_DIGITS = 4
const MAX_TERMS = 8
const MAX_SEARCH_LENGTH = 200

/** The fields of a lead that are searched. */
export type Searchable = {
  reference: string
  first_name: string
  last_name: string
  email: string
  phone: string
  company: string
  website: string
  message: string
}

/** The words a lead is indexed under: every part of a name, address or number, and the words of the message. */
export function indexWords(lead: Searchable): string[] {
  const { first_name, last_name, email, company, website } = lead
  const phone = fold(lead.phone)
  const message = fold(lead.message)
  const inParts = new Set([
    ...foldSpellings(`${first_name} ${last_name} ${email} ${company} ${website}`).flatMap(joinedOrNot),
    digitsOf(phone),
    ...(digitsOf(message).length < MIN_DIGITS ? [] : numbersIn(message)),
    fold(lead.reference).replaceAll('-', ''),
  ])
  // A phone number can contain words, such as "extension".
  const whole = new Set([
    ...foldSpellings(lead.message).flatMap(joinedOrNot),
    ...(isNumeric(phone) ? [] : wordsOf(phone)),
  ])
  const words = new Set<string>()
  for (const word of inParts) addParts(word, words)
  for (const word of whole)
    if (isUnspaced(word)) addParts(word, words)
    else words.add(cut(word, MAX_WORD_LENGTH))
  return [...words]
}

/**
 * The terms of a search. A lead matches if each term is the beginning of one of its indexed words. Empty if there is
 * nothing to search for.
 */
export function searchTerms(search: string): string[] {
  const folded = fold(search.slice(0, MAX_SEARCH_LENGTH).toWellFormed()).trim()
  const parts = isNumber(folded) ? [folded] : folded.replace(dialed, withoutGaps).split(' ')
  const terms = parts.flatMap((part) =>
    isNumber(part) ? [withoutZeros(digitsOf(part)).slice(-PHONE_DIGITS)] : termsOf(part),
  )
  return [...new Set(terms)].slice(0, MAX_TERMS)
}

const isNumber = (folded: string) => isNumeric(folded) && digitsOf(folded).length >= MIN_DIGITS

// Next to words, only numbers that begin with "+", "(" or "0" are joined into a phone number. Other adjacent numbers, such
// as a year and a price, stay separate.
const dialed = /[+(0][\d ()./-]*\d/g
const withoutGaps = (number: string) =>
  digitsOf(number).length < PHONE_DIGITS ? number : ` ${digitsOf(number)} `

/** "O'Neil" becomes "ONeil"; "Anna-Lena" becomes "Anna" and "Lena". Single letters stay joined: "e-mail" becomes "email". */
function termsOf(part: string): string[] {
  const words = wordsOf(part.replaceAll("'", ''))
  const joined = words.some((word) => word.length === 1) && part.includes('-') ? [words.join('')] : words
  return joined.flatMap((word) => (isUnspaced(word) ? slicesOf(word) : [cut(word, MAX_WORD_LENGTH)]))
}

// The characters of languages that are written without spaces between words.
const unspaced =
  /[[\p{L}\p{N}]&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]]/v
const word = new RegExp(`${unspaced.source}+|[[\\p{L}\\p{N}]--${unspaced.source}]+`, 'gv')
const isUnspaced = (word: string) => !isAscii(word) && unspaced.test(word)

const wordsOf = (folded: string): string[] => folded.match(isAscii(folded) ? /[a-z0-9]+/g : word) ?? []

/** The words of a text. Words joined by apostrophes or hyphens are included both separately and as one word. */
function joinedOrNot(folded: string): string[] {
  const words = wordsOf(folded)
  if (!/['-]/.test(folded)) return words
  const joined = (folded.match(/[\p{L}\p{N}'-]+/gu) ?? []).filter((word) => /['-]/.test(word))
  return [...words, ...joined.flatMap((word) => wordsOf(word.replace(/['-]/g, '')))]
}

const numbersIn = (folded: string): string[] =>
  (folded.match(/\d[\d ()+./-]*\d/g) ?? []).map(digitsOf).filter((digits) => digits.length >= MIN_DIGITS)

/** Adds the word and its endings. A search for "ber" finds "lindberg" because of its ending "berg". */
function addParts(word: string, parts: Set<string>) {
  const [minLength, maxLength, maxParts] = isUnspaced(word)
    ? [1, UNSPACED_PART_LENGTH, word.length]
    : [MIN_PART_LENGTH, MAX_WORD_LENGTH, MAX_PARTS]
  const starts = Math.min(Math.max(1, word.length - minLength + 1), maxParts)
  for (let start = 0; start < starts && word !== ''; start++)
    if (!isLowSurrogate(word, start)) parts.add(cut(word.slice(start), maxLength))
}

/** Splits a search in a language without spaces into successive parts. A matching lead has every part. */
const slicesOf = (word: string): string[] => {
  const letters = [...word]
  return Array.from({ length: Math.ceil(letters.length / UNSPACED_PART_LENGTH) }, (_, index) =>
    letters.slice(index * UNSPACED_PART_LENGTH, (index + 1) * UNSPACED_PART_LENGTH).join(''),
  )
}

/** The first letters, at most `maxLength`. */
const cut = (word: string, maxLength: number) =>
  word.length <= maxLength ? word : [...word.slice(0, 2 * maxLength)].slice(0, maxLength).join('')

const isLowSurrogate = (text: string, index: number) => (text.charCodeAt(index) & 0xfc00) === 0xdc00
