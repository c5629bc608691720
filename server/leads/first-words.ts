import { cleanLine } from '#shared/text/invisible-characters.ts'

const FIRST_WORDS = 160

/**
 * The beginning of a text, on one line, without what would turn the direction of what stands beside
 * it. Never cuts in half what takes two units of UTF-16.
 */
export function firstWords(text: string, max = FIRST_WORDS): string {
  const letters = [...cleanLine(text).replace(/\s+/g, ' ').trim()]
  return letters.length <= max ? letters.join('') : `${letters.slice(0, max).join('').trimEnd()}…`
}
