import type { Part } from '#shared/inbox/quotes.ts'
import { type Line, readLines, wordsIn } from './repeated-lines.ts'

/** Words of an unmarked line that is quoted between marked ones. */
const MIN_WORDS = 4
/** Words that are a quotation even without a sign of one. */
const MANY_WORDS = 25
/** Lines into which programs break the line above a quotation, and characters of one that is broken, with the next word. */
const MAX_INTRODUCTION = 3
const MIN_BROKEN = 60
/** Rows like `Name: value` above a quotation, and characters of a line that can introduce one. */
const MAX_HEADERS = 12
const MAX_LINE = 300

/** What was said before, what we have sent, and how our emails name their sender, with all our addresses. */
export type Conversation = { texts: readonly string[]; sent: readonly string[]; names: readonly string[] }

/**
 * Mail programs repeat what a message answers: behind `>`, beside a bar, in another color, or without
 * any sign, below a line in one of a hundred languages. We know the conversation, so its words tell
 * what is repeated, and nothing else is folded away:
 *
 * 1. The message and the conversation are read as words, whatever the line breaks, marks and letter case.
 * 2. A line is repeated if its words stand in a row in the conversation, too: many of them, or as they
 *    continue the line above. Where something was filled in or changed, the line is shown.
 * 3. Such lines are a quotation if `>` marks them, if a line above introduces them, if they are many,
 *    or if they follow a quotation. So nobody's own "Yes, please." is one, although it was said before.
 * 4. A line introduces a quotation if it ends like one, and names somebody of the conversation; or if it
 *    is one of several like `Name: value`, with a person, a date, or words that were said.
 *
 * Returns what a person has written, and what is quoted between, in order. The work is linear in the length of both.
 */
export function quotedParts(text: string, { texts, sent, names }: Conversation): Part[] {
  const lines = readLines(text, [...texts, ...sent])
  const addresses = names.filter((name) => name.includes('@')).map((name) => name.toLowerCase())
  const nameWords = new Set(names.flatMap(wordsIn))

  const hasAddress = (line: string) => addresses.some((address) => line.toLowerCase().includes(address))
  const hasName = (line: string) => names.some((name) => line.includes(name))
  /** Programs put addresses into brackets. */
  const hasSender = (line: string) => /[<[(]/.test(line) && hasAddress(line)
  /** Whether a line says who wrote, or when, and has few other words in a row. */
  const saysWho = (line: string) => {
    const words = wordsIn(line).map((word) => (/^\p{N}/u.test(word) || nameWords.has(word) ? ' ' : 'x'))
    return (hasSender(line) || (hasName(line) && hasTime(line))) && !sentence.test(words.join(''))
  }

  function attributionAbove(end: number): number {
    let joined = ''
    for (let from = end - 1; from >= Math.max(0, end - MAX_INTRODUCTION); from--) {
      const { text: line, isBlank } = lines[from] as Line
      const [next = ''] = joined.split(' ')
      // Programs break only what is too long for a line.
      const isBroken = line.length + next.length >= MIN_BROKEN && !endsAttribution.test(line)
      if (isBlank || line.length > MAX_LINE || (joined !== '' && !isBroken)) break
      joined = `${line} ${joined}`.trim()
      if (!endsAttribution.test(joined)) break
      if (saysWho(joined) && hasTime(joined)) return from
    }
    const last = lines[end - 1]?.text ?? ''
    return last.length <= MAX_LINE && endsAttribution.test(last) && saysWho(last) ? end - 1 : end
  }

  function headersAbove(end: number): number {
    let top = end
    let hasDate = false
    let isMail = false
    for (let from = end - 1; from >= Math.max(0, end - MAX_HEADERS); from--) {
      const { text: line, isBlank, isSaid, above } = lines[from] as Line
      if (isBlank || isQuoted[from] || line.length > MAX_LINE || !isHeader.test(line)) break
      const isPerson = hasAddress(line) || hasName(line)
      const isOnlyRe = from === end - 1 && onlyRe.test(line)
      if (!isPerson && !isDated(line) && !isSaid && !isOnlyRe) break
      // What stands above the rows of a program is the visitor's.
      if (isPerson || isRule(lines[above]) || (isDated(line) && !hasDate)) top = from
      hasDate ||= isDated(line)
      isMail ||= hasSender(line) || (hasDate && hasName(line) && isRule(lines[above]))
    }
    const rule = lines[top]?.above ?? -1
    if (!isMail) return end
    if (isRule(lines[rule])) return rule
    return end - top > 1 ? top : end
  }

  /** An answer may be between marked lines. */
  const isAnswer = ({ from, to, isMarked, above }: Line) =>
    to - from < MIN_WORDS && !isMarked && lines[above]?.isMarked === true

  const isQuoted = lines.map(() => false)
  /** Where the lines begin that introduce a quotation, which begins at `start` without them. */
  const introductionOf = (start: number) => {
    const end = (lines[start]?.above ?? -1) + 1
    const from = Math.min(attributionAbove(end), headersAbove(end))
    return from < end ? from : start
  }
  let hasQuotation = false
  for (let start = 0; start < lines.length; ) {
    const first = lines[start] as Line
    const from = first.begins ? introductionOf(start) : start
    const isTop = first.isMarked && (from < start || !lines[first.above]?.isMarked)
    const isBegun = isTop || (from < start && first.repeats === 'long')
    if (!first.repeats || (!isBegun && (first.repeats === 'short' || isAnswer(first)))) {
      hasQuotation ||= isHeader.test(first.text) && hasSender(first.text)
      start++
      continue
    }
    let end = start + 1
    for (let at = end; at < lines.length; at++) {
      const line = lines[at] as Line
      if ((line.repeats === 'long' || line.continues) && !isAnswer(line)) end = at + 1
      else if (!line.isBlank) break
    }
    const many = (lines[end - 1]?.to ?? 0) - first.from >= MANY_WORDS
    if (isBegun || first.isMarked || hasQuotation || many) {
      hasQuotation = true
      isQuoted.fill(true, from, end)
    }
    start = end
  }
  const parts = partsOf(lines, isQuoted)
  // Somebody may have sent nothing but our words, to say yes to them.
  return parts.some((part) => !part.isQuoted) ? parts : [{ isQuoted: false, text: text.trim() }]
}

/** More words than programs write in a row about a message. */
const sentence = /x{7}/
const endsAttribution = /(?:[:：]|-{3,})[^\p{L}\p{N}]*$/u
const isHeader = /^[>*\s]*\p{L}[\p{L}\p{M} .'’-]{0,20}\*?\s?[:：]/u
/** A subject without words, such as "Re". */
const onlyRe = /[:：]\s*\p{L}{0,3}\s*$/u
const hasTime = (line: string) => /\p{N}[:.h時点]\p{N}{2}/u.test(line)
// Also the years of Thailand and Iran.
const isDated = (line: string) => hasTime(line) || /(?<!\p{N})(?:20|25|14)\p{N}{2}(?!\p{N})/u.test(line)
/** A row of dashes or the like, also around words: "-----Original Message-----". */
const isRule = (line: Line | undefined) =>
  (line?.text.length ?? Infinity) < MAX_LINE &&
  /^[>\s]*(?:[-_=]{4,}|-{4,}\s*\p{L}+(?:[\s']\p{L}+){0,2}\s*-{4,})\s*$/u.test(line?.text ?? '')

function partsOf(lines: readonly Line[], isQuoted: readonly boolean[]): Part[] {
  const parts: Part[] = []
  let from = 0
  for (let at = 1; at <= lines.length; at++) {
    if (at < lines.length && (isQuoted[at] === isQuoted[from] || lines[at]?.isBlank)) continue
    const text = lines
      .slice(from, at)
      .map((line) => line.text)
      .join('\n')
      .trim()
    if (text !== '') parts.push({ isQuoted: isQuoted[from] ?? false, text })
    from = at
  }
  return parts
}
