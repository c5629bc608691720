import type { Kind } from './read-corpus.ts'
import { tokensOf } from './tokens.ts'
import { count, noWords, type WordCounts } from './word-filter.ts'

/**
 * Counts the words of sample messages. There are several kinds of spam, and several of real requests. Leaves out words that
 * occur in only one kind, because they don't help to judge messages of any other kind.
 */
export function countSamples(kinds: readonly Kind[], tokenize = tokensOf): WordCounts {
  const samples = noWords()
  const kindsWith = new Map<string, Set<Kind>>()
  for (const kind of kinds)
    for (const message of kind.messages) {
      const tokens = tokenize(message)
      count(samples, tokens, kind.isSpam)
      for (const token of tokens) kindsWith.set(token, (kindsWith.get(token) ?? new Set()).add(kind))
    }
  for (const [token, { size }] of kindsWith) if (size < 2) samples.tokens.delete(token)
  return samples
}
