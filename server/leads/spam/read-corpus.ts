import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Messages of one kind, such as spam that sells links. */
export type Kind = { name: string; isSpam: boolean; messages: string[] }

/** Reads the sample messages, grouped by kind. The messages in the `final-` files were not used to tune the filter. */
export const readCorpus = (part: '' | 'final-'): Kind[] => [
  ...readKinds(`${part}spam.txt`, true),
  ...readKinds(`${part}honest.txt`, false),
]

/** A line that starts with "# " names a kind of message. The lines below it are its messages, with `\n` for line breaks. */
function readKinds(file: string, isSpam: boolean): Kind[] {
  const text = readFileSync(join(import.meta.dirname, 'corpus', file), 'utf8')
  return text
    .split(/^# /m)
    .slice(1)
    .map((part) => {
      const [name = '', ...lines] = part.trim().split('\n')
      const messages = lines.map((line) => line.replace(/\\n/g, '\n').replace(/\\u200B/g, '\u200b'))
      return { name, isSpam, messages }
    })
}
