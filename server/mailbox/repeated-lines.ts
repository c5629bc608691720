import type { Part } from '#shared/inbox/quotes.ts'

/** Words in a row that nobody writes again by chance. */
const LONG_RUN = 6
/** Words by which places in the conversation are found, and places that are tried. */
const KEY_WORDS = 2
const MAX_PLACES = 32

// Scripts without spaces between words: each of their letters counts as one.
const spaceless = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`
const word = new RegExp(
  String.raw`[${spaceless}]\p{M}*|\p{N}+(?:[.,]\p{N}+)+|(?:(?![${spaceless}])[\p{L}\p{M}\p{N}])+|-(?=\p{Sc})|[\p{So}\p{Sc}√×±+→←%?!؟()]`,
  'gu',
)
/** The words of a text, and marks that say something. Capitals do, too: "YES / no". */
export const wordsIn = (text: string) => text.normalize('NFKC').match(word) ?? []

/**
 * What was said, what we have sent, the names and addresses of our emails, and those of the others.
 * `heard`: what somebody else may have written. Only lines behind `>` are quoted from it: nobody
 * can make another's words a quotation.
 */
export type Conversation = Record<'texts' | 'sent' | 'names' | 'others', readonly string[]> & {
  heard?: readonly string[]
}

/**
 * A line of a message. `from`, `to`: its words. `above`: the next line above that isn't blank.
 * `isBlank`: also if it's the line above a signature. `isMarked`: it begins with `>`. `repeats`:
 * all its words stand in a row in the conversation, perhaps in a long one together with those
 * around it. It begins and ends where a line does there, or goes on: "Package B" below "Package A
 * or Package B?" is an answer. `continues`: so does the word above. `begins`: a text of the
 * conversation begins with it. `isSaid`: the conversation has its last words. `isOurs`: it repeats
 * what we wrote ourselves.
 */
export type Line = {
  text: string
  from: number
  to: number
  above: number
  isMarked: boolean
  isBlank: boolean
  repeats: 'long' | 'short' | undefined
  continues: boolean
  begins: boolean
  isSaid: boolean
  isOurs: boolean
}
type Repeat = Pick<Line, 'repeats' | 'continues' | 'begins' | 'isSaid' | 'isOurs'>

// Our emails put what somebody else wrote behind `>` or spaces.
const isIndented = /^[\s>]/

/**
 * Reads the lines of a message, and how they repeat the texts of its conversation. Only marked
 * lines can repeat what was heard, and only if no text stands behind as many marks: there, answers
 * may be between its lines.
 */
export function readLines(text: string, conversation: Conversation): Line[] {
  const each = text.split('\n').map((line) => ({ line, own: wordsIn(line) }))
  const findRepeat = createSearch(
    each.flatMap(({ own }) => own),
    conversation,
  )
  const lines: Line[] = []
  let from = 0
  let above = -1
  for (const { line, own } of each) {
    const to = from + own.length
    const isBlank = /^[\s>]*(?:--\s*)?$/.test(line)
    lines.push({
      text: line,
      from,
      to,
      above,
      isMarked: marksOf(line) > 0,
      isBlank,
      ...findRepeat(from, to, false),
    })
    if (!isBlank) above = lines.length - 1
    from = to
  }
  const ours = new Set(lines.filter(({ repeats }) => repeats).map((line) => marksOf(line.text)))
  return lines.map((line) =>
    line.isMarked && !ours.has(marksOf(line.text))
      ? { ...line, ...findRepeat(line.from, line.to, true) }
      : line,
  )
}

const marksOf = (line: string) => (/^[\s>]*/.exec(line)?.[0] ?? '').split('>').length - 1

/**
 * Creates a function that finds a line in the conversation. The work is linear in the length of
 * both.
 */
function createSearch(words: readonly string[], { sent, others, texts, heard = [] }: Conversation) {
  const keyAt = (list: readonly string[], at: number) => list.slice(at, at + KEY_WORDS).join(' ')
  // Only what the message has is worth its memory.
  const keys = new Set(words.map((_word, at) => keyAt(words, at)))
  const said: string[] = []
  const lineEnds = new Set([0])
  /** Of each word, whether we wrote it: our emails also quote what we got. */
  const ours: boolean[] = []
  function add(text: string, isSent: boolean) {
    for (const line of [...text.split('\n'), null]) {
      const isOurs = isSent && line !== null && !isIndented.test(line)
      for (const each of line === null ? [''] : wordsIn(line)) {
        said.push(each)
        ours.push(isOurs)
      }
      lineEnds.add(said.length)
    }
  }
  // First what we have sent: of words that are often in the conversation, only some places are
  // tried.
  for (const each of sent) add(each, true)
  for (const each of [...others, ...texts]) add(each, false)
  const startOfHeard = said.length
  for (const each of heard) add(each, false)
  const places = new Map<string, number[]>()
  for (let at = 0; at < said.length; at++) {
    const key = keyAt(said, at)
    if (!keys.has(key)) continue
    const found = places.get(key)
    if (!found) places.set(key, [at])
    else if (found.length < MAX_PLACES) found.push(at)
  }

  /** How many words are the same in a row, forward or backward, at most. */
  function countSame(at: number, place: number, step: 1 | -1, most: number): number {
    let count = 0
    while (count < most) {
      const word = words[at + count * step]
      if (word === undefined || word !== said[place + count * step]) break
      count++
    }
    return count
  }

  return (from: number, to: number, isHeard: boolean): Repeat => {
    // A line with one word is found by the one below or above.
    const at = places.has(keyAt(words, from)) ? from : to - KEY_WORDS
    const [place = startOfHeard] = places.get(keyAt(words, to - KEY_WORDS)) ?? []
    const isSaid = to - from >= KEY_WORDS && place < startOfHeard
    const repeat: Repeat = { repeats: undefined, continues: false, begins: false, isSaid, isOurs: false }
    if (from === to) return repeat
    for (const found of places.get(keyAt(words, at)) ?? []) {
      if (found >= startOfHeard && !isHeard) break
      const place = found + from - at
      const count = countSame(from, place, 1, to - from + LONG_RUN)
      const above = countSame(from - 1, place - 1, -1, LONG_RUN)
      const isWhole =
        (above > 0 || lineEnds.has(place)) && (count > to - from || lineEnds.has(place + to - from))
      if (count < to - from || !isWhole) continue
      repeat.isOurs ||= ours[place] === true
      repeat.continues ||= above > 0
      repeat.begins ||= (said[place - 1] ?? '') === ''
      if (repeat.repeats !== 'long') repeat.repeats = above + count >= LONG_RUN ? 'long' : 'short'
    }
    return repeat
  }
}

/** Joins lines to what was written, and what is quoted between. */
export function partsOf(lines: readonly Line[], isQuoted: readonly boolean[]): Part[] {
  const parts: Part[] = []
  for (const [at, { text, isBlank }] of lines.entries()) {
    const last = parts.at(-1)
    if (last && (isBlank || isQuoted[at] === last.isQuoted)) last.text += `\n${text}`
    else parts.push({ isQuoted: isQuoted[at] ?? false, text })
  }
  return parts.map((part) => ({ ...part, text: part.text.trim() })).filter(({ text }) => text !== '')
}
