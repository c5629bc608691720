import { digitsOf, fold } from './fold.ts'

const MIN_DIGITS = 7
// The limit of ITU-T E.164.
const MAX_DIGITS = 15

/**
 * A `tel:` link (RFC 3966) to the first telephone number in a visitor's text, with its extension; null if there is none. Show
 * the text as it was typed.
 *
 * A library that knows the numbers of all countries would not map letters, and would drop foreign numbers without a country
 * code.
 */
export function telephoneLink(typed: string): string | null {
  const text = fold(typed)
    .replace(unusualSeparator, (character) => separators[character] ?? '-')
    .replace(spelledNumber, toKeys)
    .replace(timeOrDate, (time) => ';'.repeat(time.length))
  for (const { 0: run, index } of text.matchAll(runOfDigits)) {
    const number = firstNumber(run)
    const rest = text.slice(index + number.length)
    const digits = dialedDigits(number)
    if (digits.length < MIN_DIGITS || digits.length > MAX_DIGITS || /^(\d)\1*$/.test(digits)) continue
    const extension = extensionAtStart.exec(rest)?.slice(1).find(Boolean)
    // Some digits are hidden or mistyped: "312-555-01xx".
    if (!extension && digits.length < COMPLETE_DIGITS && /^[a-z]/.test(rest)) continue
    return `tel:${isInternational(number) ? '+' : ''}${digits}${extension ? `;ext=${extension}` : ''}`
  }
  return null
}

const COMPLETE_DIGITS = 10

// Characters between digits, besides spaces and "-", "(", ")", "." and "/".
const unusualSeparator = /[[\]\u00b7\u2022\u30fc_]/g
const separators: Record<string, string> = { '[': '(', ']': ')', '\u00b7': '.', '\u2022': '.' }

// "1-800-FLOWERS" and "312 555 ROOF". A toll-free number may have more letters than it needs.
const spelledNumber =
  /(?:^|[^\w+])(?:\+?1[ .-]*)?\(?(?:8(?:00|33|44|55|66|77|88)\)?[ .-]*(?=[\d.-]*[a-wyz])[a-z\d](?:[.-]?[a-z\d]){6}|[2-9]\d\d\)?[ .-]*\d{3}[ .-]*(?!x)[a-z]{4}(?![a-z]))/g
const keyOfLetter = '22233344455566677778889999'
const toKeys = (text: string) =>
  text.replace(/[a-z]/g, (letter) => keyOfLetter[letter.charCodeAt(0) - 97] ?? '')

// "5pm", "9:30", "8.30-17.00", "12/05/2026", and the hours in "9-5 312 555 0199".
const timeOrDate =
  /\b\d{1,2}(?:[:.]\d\d)? ?[ap]\.?m\b|\b\d{1,2}:\d\d\b|(?:^|[^\d.-])\d{1,2}\.\d\d ?- ?\d{1,2}\.\d\d(?![.\-\d])|\b\d{1,2}([./-])\d{1,2}\1(?:20)\d\d\b|\b20\d\d-\d\d-\d\d\b|\b\d{1,2}-\d{1,2} (?=\(?[2-9]\d\d\)?[ .-]*[2-9]\d\d[ .-]*\d{4}\b)/g

const runOfDigits = /(?:\( ?)?(?:\+ ?)?\(?\d(?:[ ()./-]*\d)*/g

const extensionAtStart =
  /^[ ,;(/-]*(?:ext(?:ension|n)?|x|#|anexo|durchwahl|dw|int(?:erno)?|lok|poste|ramal|toestel|доб|вн|内線|分机)[ .:=#]*(\d{1,7})(?!\d)|^[,;]+(\d{1,6})$/

// Two numbers without a word between them: what begins with a complete American number; what precedes "(" or "/" and
// another number or another ending; what has two halves of the same form.
const firstOfTwo = [
  /^\(?(?:\+?1\)?[ .-]*)?\(?[2-9]\d\d\)?[ .-]*[2-9]\d\d[ .-]*\d{4}(?=[ (./-]+\d)/,
  /^\(?\+?\(?\d(?:[ ().-]*\d){6,}?(?= ?\(\d)/,
  /^\(?\+?\(?\d(?:[ ().-]*\d){6,}(?= ?\/ ?(?:\(?\d(?:[ ().-]*\d){6,}|\d{1,2})$)/,
]

function firstNumber(run: string): string {
  for (const pattern of firstOfTwo) {
    const first = pattern.exec(run)?.[0]
    if (first) return first
  }
  const half = /^(\(?0(?:[ ().-]*0){6,})[ ./-]+\1$/.exec(run.replace(/\d/g, '0'))?.[1]
  return half ? run.slice(0, half.length) : run
}

const isInternational = (number: string) => /^[( ]*(?:\+|00[ .-]*[1-9](?=(?:\D*\d){9}))/.test(number)

// Countries where a national number never begins with the zero that is dialed before it at home.
const trunkZero = /^(2[07]|3[1-46]|4[013-69]|6[0-6]|8[1246]|9[0-58])0/

function dialedDigits(number: string): string {
  if (!isInternational(number)) return number.replace(/\D/g, '')
  return digitsOf(number).replace(/^00/, '').replace(trunkZero, '$1')
}
