import { fold } from '#shared/text/fold.ts'

// The beginning is enough to show what a message is about. Reading more would only take longer.
const MAX_LENGTH = 1_500
// All quantifiers are bounded, so that no text can make matching slow.
const address = /[^\s@]{1,64}@\S{1,255}/g
const link = /(?:https?:\/\/|www\.)\S{1,2048}/g
const word = /LINK|MAIL|[\p{L}']{1,64}|\d{1,64}|[$€%]|[.?!]{1,9}/gu

// No message contains these as words, because `fold` turns all letters into lowercase.
const SENTENCE = 'START'
const NUMBER = 'NUMBER'

/**
 * Returns a message's words, and each sequence of two or three consecutive words, in which the
 * start of a sentence counts as a word. All links count as the same word, and so do all email
 * addresses and all numbers.
 */
export function tokensOf(message: string): Set<string> {
  // Fold the text before cutting it: otherwise, blank lines or invisible characters could use up
  // the allowed length.
  const folded = fold(message).slice(0, MAX_LENGTH)
  // Looking for addresses takes long, and most messages have none.
  const withoutAddresses = folded.includes('@') ? folded.replace(address, ' MAIL ') : folded
  const plain = withoutAddresses.replace(link, ' LINK ')
  const tokens = new Set<string>()
  let [before, last] = ['', SENTENCE]
  for (const found of plain.match(word) ?? []) {
    if (/^[.?!]/.test(found)) {
      if (!found.startsWith('.')) tokens.add(found.includes('?') ? '?' : '!')
      ;[before, last] = [last, SENTENCE]
    } else {
      const next = /^\d/.test(found) ? NUMBER : found.replaceAll("'", '')
      if (next === '') continue
      tokens.add(next).add(`${last} ${next}`)
      if (before !== '') tokens.add(`${before} ${last} ${next}`)
      ;[before, last] = [last, next]
    }
  }
  return tokens
}
