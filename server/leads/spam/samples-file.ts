import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { WordCounts } from './word-filter.ts'

const file = join(import.meta.dirname, 'dist/samples.json')

/** Stores the word counts of the samples, so that the server doesn't have to count them at each start. */
export function writeSamples({ messages, tokens }: WordCounts) {
  mkdirSync(dirname(file), { recursive: true })
  // Write a new file, then rename it, so that a program that starts during a build never reads half a file.
  writeFileSync(`${file}.new`, JSON.stringify({ messages, tokens: [...tokens] }))
  renameSync(`${file}.new`, file)
}

/** Reads the word counts that the build has stored. */
export function readSamples(): WordCounts {
  const { messages, tokens } = JSON.parse(readFileSync(file, 'utf8'))
  return { messages, tokens: new Map(tokens) }
}
