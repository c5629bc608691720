import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Messages of one kind, such as spam that sells links. */
export type Kind = { name: string; isSpam: boolean; messages: string[] }

/** Reads the sample messages, grouped by kind. The messages in the `final-` files were not used to tune the filter. */
export const readCorpus = (part: '' | 'final-'): Kind[] => [
  ...readKinds(join(import.meta.dirname, `corpus/${part}spam.txt`), true),
  ...readKinds(join(import.meta.dirname, `corpus/${part}honest.txt`), false),
]

/**
 * Reads the kinds of message in a file. A line that starts with "# " names a kind. The lines below it are its messages, with
 * `\n` for line breaks.
 */
export function readKinds(file: string, isSpam: boolean): Kind[] {
  return readFileSync(file, 'utf8')
    .split(/^# /m)
    .slice(1)
    .map((part) => {
      const [name = '', ...lines] = part.trim().split('\n')
      const messages = lines.map((line) => line.replace(/\\n/g, '\n').replace(/\\u200B/g, '\u200b'))
      return { name, isSpam, messages }
    })
}
