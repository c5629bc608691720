import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tokensOf } from './tokens.ts'
import { countTokens, noWords, type WordCounts } from './word-filter.ts'

const countsFile = join(import.meta.dirname, 'dist/samples.json')

/** Messages of one kind, such as spam that sells links. */
export type Kind = { name: string; isSpam: boolean; messages: string[] }

/**
 * Reads the sample messages, grouped by kind. The messages in the `final-` files were not used to
 * tune the filter.
 */
export const readCorpus = (part: '' | 'final-'): Kind[] => [
  ...readKinds(join(import.meta.dirname, `corpus/${part}spam.txt`), true),
  ...readKinds(join(import.meta.dirname, `corpus/${part}honest.txt`), false),
]

/**
 * Reads the kinds of message in a file. A line that starts with "# " names a kind. The lines below
 * it are its messages, with `\n` for line breaks.
 */
export function readKinds(file: string, isSpam: boolean): Kind[] {
  const parts = readFileSync(file, 'utf8').split(/^# /m).slice(1)
  return parts.map((part) => {
    const [name = '', ...lines] = part.trim().split('\n')
    const messages = lines.map((line) => line.replace(/\\n/g, '\n').replace(/\\u200B/g, '\u200b'))
    return { name, isSpam, messages }
  })
}

/**
 * Counts the words of sample messages. There are several kinds of spam, and several of real
 * requests. Leaves out words that occur in only one kind, because they don't help to judge messages
 * of any other kind.
 */
export function countSamples(kinds: readonly Kind[], tokenize = tokensOf): WordCounts {
  const samples = noWords()
  const kindsWith = new Map<string, Set<Kind>>()
  for (const kind of kinds)
    for (const message of kind.messages) {
      const tokens = tokenize(message)
      countTokens(samples, tokens, kind.isSpam)
      for (const token of tokens) kindsWith.set(token, (kindsWith.get(token) ?? new Set()).add(kind))
    }
  for (const [token, { size }] of kindsWith) if (size < 2) samples.tokens.delete(token)
  return samples
}

/**
 * Stores the word counts of the samples, so that the server doesn't have to count them at each
 * start.
 */
export function writeSamples({ messages, tokens }: WordCounts) {
  mkdirSync(join(countsFile, '..'), { recursive: true })
  writeFileSync(countsFile, JSON.stringify({ messages, tokens: [...tokens] }))
}

let stored: WordCounts | undefined

/** The word counts that the build has stored. Don't change them: everybody shares them. */
export function readSamples(): WordCounts {
  if (stored) return stored
  const { messages, tokens } = JSON.parse(readFileSync(countsFile, 'utf8'))
  stored = { messages, tokens: new Map(tokens) }
  return stored
}
