import { fold } from '#shared/text/fold.ts'

const MAX_LENGTH = 1_500
// "Deutschland" and "Wirtschaft" have as many consonants in a row, but more vowels; "агентство" has
// five.
const manyConsonants = /[bcdfghjklmnpqrstvwxz]{5}|[бвгджзйклмнпрстфхцчшщ]{6}/
const vowels = /[aeiouyаеиоуыэюя]/g
const neighbors = /asdf|sdfg|dfgh|fghj|ghjk|hjkl|zxcv|xcvb|фыва|ывап|йцук|ячсм/
const repeated = /(\p{L}{2,4})\1\1/u
// "kBJLcFhRrGQxn", but not "WooCommerce" or "WhatsAppWeb".
const manyCapitals = /\p{Ll}\p{Lu}+\p{Ll}+\p{Lu}+\p{Ll}+\p{Lu}/u

/**
 * Whether most of the longer words of a text, in Latin or Cyrillic letters, were typed at random,
 * by a person or a program. A single such word proves nothing: it may be an abbreviation.
 */
export function isGibberish(text: string): boolean {
  const words = text.slice(0, MAX_LENGTH).match(/\p{L}{5,40}/gu) ?? []
  return words.filter(isRandom).length * 2 > words.length
}

function isRandom(word: string): boolean {
  const folded = fold(word)
  const isHard = manyConsonants.test(folded) && (folded.match(vowels)?.length ?? 0) * 5 < folded.length
  return isHard || neighbors.test(folded) || repeated.test(folded) || manyCapitals.test(word)
}
