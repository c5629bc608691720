import { digitsOf, fold } from './fold.ts'

/**
 * A `tel:` link (RFC 3966) to the first telephone number in a visitor's text, with its extension;
 * null if it could be a wrong number. Show the text as it was typed.
 */
export function telephoneLink(typed: string): string | null {
  const text = fold(typed)
  for (const { 0: run, index } of text.matchAll(runOfDigits)) {
    const ending = endOfNumber.exec(text.slice(index + run.length))
    const number = dialed(run)
    if (!ending || !isNumber.test(number) || isMoreThanNumber.test(run)) continue
    const [, extension] = ending
    return `tel:${number}${extension ? `;ext=${extension}` : ''}`
  }
  return null
}

const runOfDigits = /(?:\+[ (]*)?\d(?:[^\p{L}\d+,;#]*\d)*/gu

// If a letter follows, people have hidden digits, or have spelled them: "312-555-01xx",
// "1-800-555-ROOF".
const endOfNumber = /^(?:[ ,;(]*(?:ext(?:ension)?|x|#)[ .:]*(\d{1,7}))?(?:[ .,;()]|$)/

// ITU-T E.164 allows 15 digits. Without a country code or a leading zero, more than 11 are two
// numbers, or a number and hours.
const isNumber = /^(?:\+[1-9]\d{6,14}|0[1-9]\d{5,13}|1\d{10}|[2-9]\d{6,10})$/

// A time, a date, or two numbers: "9:30", "12/05/2026", "030 901820/21".
const isMoreThanNumber = /:|\/.*\/|(?:\d\D*){7}\//

function dialed(run: string): string {
  const isInternational = /^(?:\+|00)/.test(run)
  return isInternational ? `+${digitsOf(run).replace(/^00/, '')}` : run.replace(/\D/g, '')
}
