import type { Part } from '#shared/inbox/quotes.ts'
import { type Conversation, type Line, partsOf, readLines, wordsIn } from './repeated-lines.ts'

/** Words of an unmarked line that is quoted between marked ones. */
const MIN_WORDS = 4
/** Words of ours that are a quotation even without a sign of one. */
const MANY_WORDS = 25
/**
 * Characters of a line that a program has broken, with the next word; and of one that can introduce
 * a quotation.
 */
const MIN_BROKEN = 60
const MAX_LINE = 300
/** Other words in a row that programs write beside a sender's address, and beside a name. */
const MAX_BESIDE_ADDRESS = 6
const MAX_BESIDE_NAME = 4
/** Rows like `Name: value` above a quotation. */
const MAX_HEADERS = 12

/**
 * Mail programs repeat what a message answers: behind `>`, beside a bar, in another color, or
 * without any sign, below a line in one of a hundred languages. We know the conversation, so its
 * words tell what is repeated, and nothing else is folded away:
 *
 * 1. The message and the conversation are read as words, whatever the line breaks and marks.
 * 2. A line is repeated if all its words stand in a row in the conversation, too, from where a line
 *    begins there to where one ends, also together with the lines around it. Whatever was changed
 *    is shown.
 * 3. Such lines are a quotation if `>` marks them, if a line above introduces them, if they have
 *    many of our own words, or follow a quotation without marks. So "Yes, please." is none,
 *    although it was said before.
 * 4. Only the beginning of a text is introduced: by a line with our address, or a time and our name
 *    or another's address, which ends with a colon or dashes; or by rows like `Name: value`, one of
 *    them with our address, or one with another's and one with our name.
 *
 * Returns what a person has written, and what is quoted between, in order. The work is linear in
 * the length of both.
 */
export function quotedParts(text: string, conversation: Conversation): Part[] {
  const { names, others } = conversation
  const lines = readLines(text, conversation)
  const people = names.filter((name) => !name.includes('@'))
  const addressesIn = (texts: readonly string[]) =>
    texts.flatMap((text) => text.toLowerCase().match(/\S+@\S+/g) ?? [])
  const [ours, theirs] = [addressesIn(names), addressesIn(others)]
  const nameWords = new Set(names.flatMap(wordsIn))
  const otherWords = new Set(others.flatMap(wordsIn))

  const hasOf = (addresses: readonly string[], line: string) =>
    addresses.some((address) => line.toLowerCase().includes(address))
  const hasName = (line: string) => people.some((name) => line.includes(name))
  /** Programs put addresses into brackets. */
  const hasSender = (line: string, addresses = ours) => /[<[(]/.test(line) && hasOf(addresses, line)
  const saysWho = (line: string) => {
    const isOther = (word: string) => !/^\p{N}/u.test(word) && !nameWords.has(word)
    const beside = wordsIn(line).map((word) => (isOther(word) ? 'x' : ' '))
    const isTheirs = hasSender(line, theirs)
    const most = hasSender(line) || isTheirs ? MAX_BESIDE_ADDRESS : MAX_BESIDE_NAME
    if (beside.join('').includes('x'.repeat(most + 1))) return false
    return hasSender(line) || ((hasName(line) || isTheirs) && hasTime(line))
  }

  function attributionAbove(end: number): number {
    const [before, last] = [lines[end - 2], lines[end - 1]]
    if (!last || !isShort(last) || !endsAttribution.test(last.text)) return end
    const [next = ''] = last.text.trim().split(' ')
    // Programs break only what is too long for a line.
    const isBroken =
      before &&
      isShort(before) &&
      before.text.length + next.length >= MIN_BROKEN &&
      !endsAttribution.test(before.text)
    const joined = `${before?.text} ${last.text}`
    if (isBroken && !hasTime(last.text) && hasTime(joined) && saysWho(joined)) return end - 2
    return saysWho(last.text) ? end - 1 : end
  }

  function headersAbove(end: number): number {
    let top = end
    let hasDate = false
    let isMail = false
    let isTheirs = false
    let isToUs = false
    for (let at = end - 1; at >= Math.max(0, end - MAX_HEADERS); at--) {
      const line = lines[at] as Line
      if (line.isBlank || !isShort(line) || !isHeader.test(line.text)) break
      const value = wordsIn(line.text.replace(/^[^:：]*/, ''))
      const isOther = value.length > 0 && value.every((word) => otherWords.has(word))
      const isUs = hasOf(ours, line.text) || hasName(line.text)
      const isPerson = isUs || isOther
      if (!isPerson && !isDated(line.text) && !line.isSaid) break
      const isSender = hasSender(line.text) || (hasDate && hasName(line.text) && isRule(lines[line.above]))
      // What stands above the sender and the date is the visitor's.
      const isFromThem = hasSender(line.text, theirs)
      if (isSender || isFromThem || (isDated(line.text) && !hasDate)) top = at
      hasDate ||= isDated(line.text)
      isMail ||= isSender
      isTheirs ||= isFromThem
      isToUs ||= isUs
    }
    if (!isMail && !(isTheirs && isToUs)) return end
    const above = lines[top]?.above ?? -1
    if (isRule(lines[above])) return above
    return end - top > 1 ? top : end
  }

  /** An answer may be between marked lines, or below them, unless they go on there. */
  const isAnswer = ({ from, to, isMarked, continues, above }: Line) =>
    (to - from < MIN_WORDS || !continues) && !isMarked && lines[above]?.isMarked === true

  // Earlier messages may have the same rows, so they can look repeated, too.
  const introduced = new Map<number, number>()
  for (const [at, { repeats, begins, above }] of lines.entries()) {
    const top = above + 1
    const from = repeats && begins ? Math.min(attributionAbove(top), headersAbove(top)) : top
    if (from < top) for (let row = from; row <= at; row++) introduced.set(row, at)
  }

  const isQuoted = lines.map(() => false)
  let hasUnmarked = false
  for (let start = 0, from = 0; start < lines.length; from = start) {
    start = introduced.get(from) ?? from
    const first = lines[start] as Line
    const isBegun = introduced.has(from) || (first.isMarked && !lines[first.above]?.isMarked)
    const hasSign: boolean = isBegun || first.isMarked || hasUnmarked
    const isShown = first.repeats !== 'long' || isAnswer(first) || !(hasSign || first.isOurs)
    if (!first.repeats || (!isBegun && isShown)) {
      hasUnmarked ||= isHeader.test(first.text) && hasSender(first.text)
      start++
      continue
    }
    let end = start + 1
    for (let at = end; at < lines.length; at++) {
      const line = lines[at] as Line
      if (introduced.has(at) && !introduced.has(at - 1)) break
      if ((line.repeats === 'long' || line.continues) && !isAnswer(line)) end = at + 1
      else if (!line.isBlank) break
    }
    const counts = lines.slice(start, end).map(({ isOurs, from, to }) => (isOurs ? to - from : 0))
    const count = counts.reduce((sum, each) => sum + each, 0)
    // If it is none, a quotation may begin at the next line.
    if (hasSign || count >= MANY_WORDS) {
      isQuoted.fill(true, from, end)
      hasUnmarked ||= !first.isMarked
      start = end
    } else start++
  }
  const parts = partsOf(lines, isQuoted)
  // Somebody may have sent nothing but our words, to say yes to them. What a program has introduced
  // is none of that.
  return introduced.size > 0 || parts.some((part) => !part.isQuoted)
    ? parts
    : [{ isQuoted: false, text: text.trim() }]
}

const isShort = ({ text }: Line) => text.length <= MAX_LINE
const endsAttribution = /(?:[:：]|-{3})[^\p{L}\p{N}]*$/u
const isHeader = /^[>*\s]*\p{L}[\p{L}\p{M} .'’-]{0,20}\*?\s?[:：]/u
const hasTime = (line: string) => /\p{N}[:.]\p{N}{2}/u.test(line)
// Also the years of Thailand and Iran.
const isDated = (line: string) => hasTime(line) || /(?<!\p{N})(?:20|25|14)\p{N}{2}(?!\p{N})/u.test(line)
/** A row of dashes or the like, also around words: "-----Original Message-----". */
const isRule = (line: Line | undefined) =>
  line !== undefined &&
  isShort(line) &&
  /^[>\s]*(?:[-_=]{4,}|-{4,}\s*\p{L}+(?:[\s']\p{L}+){0,2}\s*-{4,})\s*$/u.test(line.text)
