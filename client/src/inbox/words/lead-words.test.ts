import { expect, test } from 'vitest'
import { namesInWords } from './lead-words.ts'

test.each([
  [['Ada'], 'Ada'],
  [['Ada', 'Ben', 'Cy'], 'Ada, Ben, Cy'],
  [['Ada', 'Ben', 'Cy', 'Dana'], 'Ada, Ben, Cy and 1 more'],
])('a notice names at most three people (%#)', (names, words) => {
  expect(namesInWords(names.map((name) => ({ name })))).toBe(words)
})
