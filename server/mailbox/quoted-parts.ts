import type { Part } from '#shared/inbox/quotes.ts'
import { type Line, readLines, wordsIn } from './repeated-lines.ts'

/** Words of a line that begins a quotation within a paragraph. */
const MIN_WORDS = 4
/** Words that are a quotation even without a sign of one. */
const MANY_WORDS = 25
/** Lines into which programs break the line above a quotation, and its words besides numbers and names. */
const MAX_INTRODUCTION = 3
const MAX_WORDS = 12
/** Characters of a line that is broken, with the next word; and of one that can introduce something. */
const MIN_BROKEN = 60
const MAX_LINE = 300
/** Rows like `Name: value` above a quotation. */
const MAX_HEADERS = 12

/** What was said before, what we have sent, and how the people are called, with their addresses. */
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
  const known = names.map((name) => ` ${wordsIn(name).join(' ')} `).filter((name) => name.trim() !== '')
  const addresses = names.filter((name) => name.includes('@')).map((name) => name.toLowerCase())

  const nameWords = new Set(names.flatMap(wordsIn))

  const isShort = ({ text }: Line) => text.length <= MAX_LINE
  const namesSomebody = (line: string) => {
    const padded = ` ${wordsIn(line).join(' ')} `
    return known.some((name) => padded.includes(name))
  }
  const hasAddress = (line: string) => addresses.some((address) => line.toLowerCase().includes(address))
  /** Whether a line has few words besides numbers, and says who wrote at what time, or from which address. */
  const saysWho = (line: string) => {
    const others = wordsIn(line).filter((word) => !/^\p{N}+$/u.test(word) && !nameWords.has(word))
    return others.length <= MAX_WORDS && (hasAddress(line) || (namesSomebody(line) && isDated(line)))
  }

  /** Where the lines begin that introduce a quotation, which begins at `start` without them. */
  function introductionOf(start: number): number {
    const end = (lines[start]?.above ?? -1) + 1
    const from = Math.min(attributionAbove(end), headersAbove(end))
    if (from === end) return start
    const rule = lines[from]?.above ?? -1
    return isRule(lines[rule]) ? rule : from
  }

  const isLikeIntroduction = (line: Line) =>
    isShort(line) &&
    ((isHeader.test(line.text) && namesSomebody(line.text)) ||
      (endsAttribution.test(line.text) && saysWho(line.text)))

  function attributionAbove(end: number): number {
    const last = lines[end - 1]
    if (!last || !isShort(last) || !endsAttribution.test(last.text)) return end
    let joined = last.text
    let from = end - 1
    while (!saysWho(joined) || !isDated(joined)) {
      const line = lines[from - 1]
      const [next = ''] = lines[from]?.text.trim().split(' ') ?? []
      // Programs break only what is too long for a line.
      const isBroken = line && !line.isBlank && isShort(line) && line.text.length + next.length >= MIN_BROKEN
      if (!isBroken || end - from >= MAX_INTRODUCTION) return saysWho(last.text) ? end - 1 : end
      joined = `${line.text} ${joined}`
      from--
    }
    return from
  }

  function headersAbove(end: number): number {
    let from = end
    let isAboutPeople = false
    for (let line = lines[from - 1]; line && end - from < MAX_HEADERS; line = lines[from - 1]) {
      if (line.isBlank || isQuoted[from - 1] || !isShort(line)) break
      const isNamed = namesSomebody(line.text)
      // A long line is broken into two.
      const isEnd = isNamed && !endsAttribution.test(line.text)
      const isRow = isHeader.test(line.text) || (isEnd && isHeader.test(lines[from - 2]?.text ?? ''))
      const isAbout =
        isNamed || isDated(line.text) || line.isSaid || (from === end && isOnlyRe.test(line.text))
      if (!isRow || !isAbout) break
      isAboutPeople ||= isNamed
      from--
    }
    const block = lines.slice(from, end).map(({ text }) => text)
    const isMail = block.some(hasAddress) || block.some(isDated)
    const rows = block.length + (isRule(lines[lines[from]?.above ?? -1]) ? 1 : 0)
    return isAboutPeople && isMail && rows >= 2 ? from : end
  }

  const isQuoted = lines.map(() => false)
  let hasQuotation = false
  for (let start = 0; start < lines.length; ) {
    const first = lines[start] as Line
    const from = first.repeats ? introductionOf(start) : start
    const isTop = first.isMarked && (from < start || !lines[first.above]?.isMarked)
    const isBegun = isTop || (from < start && first.repeats === 'long')
    // The rest of a sentence in which something was changed is shown, too.
    const isRest = first.to - first.from < MIN_WORDS && first.above === start - 1 && start > 0
    if (!(isBegun ? first.repeats : first.repeats === 'long' && !isRest)) {
      hasQuotation ||= isLikeIntroduction(first)
      start++
      continue
    }
    let end = start + 1
    for (let at = end; at < lines.length; at++) {
      const { repeats, continues, isMarked, isBlank } = lines[at] as Line
      // An answer may be between marked lines.
      if (repeats === 'long' || (continues && isMarked === first.isMarked)) end = at + 1
      else if (!isBlank) break
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

const endsAttribution = /(?:[:：]|-{2,})[^\p{L}\p{N}]*$/u
const isHeader = /^[>*\s]*\p{L}[\p{L}\p{M} .'’-]{0,20}\*?\s?[:：]/u
/** A subject without words, such as "Re". */
const isOnlyRe = /[:：]\s*\p{L}{0,3}\s*$/u
// Also the years of Thailand and Iran, and other digits.
const isDated = (line: string) =>
  /(?<!\p{N})(?:20|25|14)\d\d(?!\p{N})|\d+[./-]\d+[./-]\d+|(?!\d)\p{N}/u.test(line)
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
