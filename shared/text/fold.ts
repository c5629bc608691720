import { replaceInvisible } from './invisible-characters.ts'

/** Whether the text has only the characters of a US keyboard. */
export const isAscii = (text: string): boolean => /^[\t\n\r\x20-\x7e]*$/.test(text)

/**
 * Folds text for search: "MÜLLER", "müller" and "Muller" become the same. So do all quotes, all
 * dashes, and all spaces.
 */
export function fold(text: string): string {
  if (isAscii(text)) return text.replace(/\s+/g, ' ').replace(/["`]/g, "'").toLowerCase()
  return (
    replaceInvisible(text.replace(blank, ' '), () => '')
      .replace(/ {2,}/g, ' ')
      .replace(quote, "'")
      // Normalize in small parts, because normalization takes quadratic time on a run of combining
      // marks. One character can become 18, so that a text of nothing else would take long.
      .replace(/[^\0-\x7f]{1,32}/gu, (part) => part.normalize('NFKD').slice(0, MAX_DECOMPOSED))
      .replace(ignored, '')
      .replace(/\p{Dash}/gu, '-')
      .toLowerCase()
      .replace(/[ßæœøðđħıłþς٠-٩۰-۹]/g, (letter) => plain.get(letter) ?? letter)
  )
}

/**
 * The folded text in every spelling that people search for: "Müller" becomes "muller" and
 * "mueller", and "Mueller" becomes "mueller" and "muller". Only stored texts need this, so that a
 * search for "Joe" doesn't find "John".
 */
export function foldSpellings(text: string): string[] {
  const rings = spelledOutLetter.test(text) ? [ringAsDoubleA, ringAsA] : []
  const spelledOut = rings.map((ring) => fold(spellOut(text, ring)))
  const spellings = new Set([fold(text), ...spelledOut])
  for (const spelling of spellings) spellings.add(spelling.replace(spelledVowel, '$1'))
  return [...spellings]
}

const spellOut = (text: string, letters: Record<string, string>) =>
  text
    .toLowerCase()
    .replace(/[aou][\u0308\u030a]/g, (letter) => letter.normalize('NFC'))
    .replace(/[äöüøåđ]/g, (letter) => letters[letter] ?? letter)
const spelledOutLetter = /[äöüøåđ]|[aou][\u0308\u030a]/i
const ringAsA = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', đ: 'dj' }
const ringAsDoubleA = { ...ringAsA, å: 'aa' }
const spelledVowel = /(a(?=[ae])|[ou](?=e))[ae]/g

/**
 * The digits, without a zero in parentheses: "+49 (0)30" becomes "4930". The text must be folded.
 */
export const digitsOf = (folded: string): string => folded.replace(/\( ?0 ?\)|\D/g, '')

/**
 * Removes leading zeros, which people dial before a country or area code. Keeps at least four
 * digits.
 */
export const withoutZeros = (digits: string): string => digits.replace(/^0+(?=\d{4})/, '')

/**
 * Whether the text has only digits and the characters people put between them. The text must be
 * folded.
 */
export const isNumeric = (folded: string): boolean => /^[\d ()+./-]*$/.test(folded)

const MAX_DECOMPOSED = 128

// White space, except the byte order mark, which `replaceInvisible` removes.
const blank = /[^\S\ufeff]/g
// Quotes are replaced before decomposition, which would turn "´" into a space. People type that
// character as a quote.
const quote = /[\p{Quotation_Mark}`´\u02b9-\u02bf\u2032-\u2037]/gu
// Accents, joiners, and the stroke that lengthens Arabic words.
const ignored = /[\p{M}\u200c\u0640]|\u200d/gu

// Letters and digits that decomposition leaves unchanged, and what replaces them.
const plain = new Map([
  ...'ß=ss æ=ae œ=oe ø=o ð=d đ=d ħ=h ı=i ł=l þ=th ς=σ'
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
  ...[...'٠١٢٣٤٥٦٧٨٩'].map((digit, value): [string, string] => [digit, String(value)]),
  ...[...'۰۱۲۳۴۵۶۷۸۹'].map((digit, value): [string, string] => [digit, String(value)]),
])
