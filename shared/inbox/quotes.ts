import * as z from 'zod/mini'

/**
 * What is quoted in a message. `at`: how many characters of the message's own text come before it.
 */
export const quote = z.object({ at: z.number(), text: z.string() })
export type Quote = z.infer<typeof quote>

/** A part of a message: its sender's own words, or a quotation. */
export type Part = { isQuoted: boolean; text: string }

/** The parts of a message in order. */
export function inOrder(text: string, quotes: readonly Quote[]): Part[] {
  const parts: Part[] = []
  let from = 0
  const addWords = (to: number) => {
    const words = text.slice(from, to).trim()
    if (words !== '') parts.push({ isQuoted: false, text: words })
    from = to
  }
  for (const { at, text } of quotes) {
    addWords(at)
    parts.push({ isQuoted: true, text })
  }
  addWords(text.length)
  return parts
}
