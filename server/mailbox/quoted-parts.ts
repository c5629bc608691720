/**
 * Mail programs repeat what a message answers: behind `>`, beside a bar, in another color, or without any sign, below a line in
 * one of a hundred languages. We know the conversation, so its words tell what is repeated, and nothing else is folded away.
 *
 * 1. The message and the conversation are read as words, whatever the line breaks, marks and letter case.
 * 2. A line is repeated if all its words belong to long runs of words that the conversation has, too. Where something was
 *    filled in or changed, a word doesn't, so that line is shown.
 * 3. Repeated lines are a quotation if they have `>`, if a line above introduces them, or if they are many. Then short runs
 *    count, too: so short answers are recognized, but nobody's own "Yes, please." is.
 * 4. A line introduces a quotation if it ends like one, and has a name or an address of the conversation; or if it is one of
 *    several like `Name: value`, each with a name, an address, a subject or a date.
 */
export type Part = { isQuoted: boolean; text: string }

/** What was said before, and how the people who said it are called, with their addresses. */
export type Conversation = { texts: readonly string[]; names: readonly string[] }

/** Words in a row that nobody writes again by chance. */
const LONG_RUN = 6
/** Words that are a quotation even without a sign of one. */
const MANY_WORDS = 25
/** Words in a row by which a place in the conversation is found, and places that are tried. */
const KEY_WORDS = 2
const MAX_PLACES = 16
/** Lines over which programs break the line above a quotation. */
const MAX_INTRODUCTION = 3

// Scripts without spaces between words: each of their letters counts as one.
const spaceless = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}`
const word = new RegExp(
  String.raw`[${spaceless}]\p{M}*|(?:(?![${spaceless}])[\p{L}\p{M}\p{N}])+|\p{So}`,
  'gu',
)
const wordsIn = (text: string) => text.normalize('NFKC').toLowerCase().match(word) ?? []

type Line = { text: string; from: number; to: number; isMarked: boolean; isBlank: boolean }

/** The words of a person, and what is quoted between them, in order. Takes a time linear in the length of both. */
export function quotedParts(text: string, { texts, names }: Conversation): Part[] {
  const { lines, words } = readLines(text)
  const runs = runsIn(words, texts.map(wordsIn))
  const known = names.map((name) => ` ${wordsIn(name).join(' ')} `).filter((name) => name.trim() !== '')

  const namesSomebody = (line: string) => {
    const padded = ` ${wordsIn(line).join(' ')} `
    return known.some((name) => padded.includes(name))
  }
  const isInRuns = ({ from, to }: Line, length: number) =>
    from < to && runs.slice(from, to).every((run) => run >= length)
  const isSaidBefore = ({ from, to }: Line) => runs.slice(from, to).some((run) => run >= KEY_WORDS)

  /** Where the lines begin that introduce a quotation, which begins at `start` without them. */
  function introductionOf(start: number): number {
    let end = start
    while (lines[end - 1]?.isBlank) end--
    const from = Math.min(attributionAbove(end), headersAbove(end))
    if (from === end) return start
    return isRule(lines[from - 1]) ? from - 1 : from
  }

  function attributionAbove(end: number): number {
    if (!endsAttribution.test(lines[end - 1]?.text ?? '')) return end
    let named = end
    for (let from = end - 1; from >= Math.max(0, end - MAX_INTRODUCTION); from--) {
      if (lines[from]?.isBlank) break
      const joined = lines
        .slice(from, end)
        .map((line) => line.text)
        .join(' ')
      if (!namesSomebody(joined)) continue
      if (countNumbers(joined) >= 2) return from
      if (named === end) named = from
    }
    return named
  }

  function headersAbove(end: number): number {
    let from = end
    let isAboutPeople = false
    for (let line = lines[from - 1]; line && isHeader.test(line.text); line = lines[from - 1]) {
      const isNamed = namesSomebody(line.text)
      if (!isNamed && countNumbers(line.text) < 2 && !isSaidBefore(line)) break
      isAboutPeople ||= isNamed
      from--
    }
    const rows = end - from + (isRule(lines[from - 1]) ? 1 : 0)
    return isAboutPeople && rows >= 2 ? from : end
  }

  const isQuoted = lines.map(() => false)
  for (let start = 0; start < lines.length; ) {
    const first = lines[start] as Line
    if (!isInRuns(first, KEY_WORDS)) {
      start++
      continue
    }
    const from = introductionOf(start)
    const isIntroduced = from < start
    const isRepeated = (line: Line) => isInRuns(line, isIntroduced || line.isMarked ? KEY_WORDS : LONG_RUN)
    let end = start
    for (let at = start; at < lines.length; at++) {
      const line = lines[at] as Line
      if (isRepeated(line)) end = at + 1
      else if (!line.isBlank) break
    }
    const block = lines.slice(start, end)
    const many = (block.at(-1)?.to ?? 0) - first.from >= MANY_WORDS
    if (isIntroduced || many || block.some(({ isMarked }) => isMarked)) isQuoted.fill(true, from, end)
    start = Math.max(end, start + 1)
  }
  const parts = partsOf(lines, isQuoted)
  // Somebody may have sent nothing but our words, to say yes to them.
  return parts.some((part) => !part.isQuoted) ? parts : [{ isQuoted: false, text: text.trim() }]
}

const endsAttribution = /(?:[:：]|-{2,})[^\p{L}\p{N}]*$/u
const isHeader = /^[>*\s]*\p{L}[\p{L}\p{M} .'’-]{0,20}\*?\s?[:：]/u
const countNumbers = (line: string) => line.match(/\p{N}+/gu)?.length ?? 0
/** A row of dashes or the like, also around words: "-----Original Message-----". */
const isRule = (line: Line | undefined) => /^[>\s]*[-_=*]{4,}(?:.*[-_=*]{4,})?\s*$/.test(line?.text ?? '')

function readLines(text: string) {
  const words: string[] = []
  const lines = text.split('\n').map((line): Line => {
    const from = words.length
    words.push(...wordsIn(line))
    return {
      text: line,
      from,
      to: words.length,
      isMarked: /^\s?>/.test(line),
      isBlank: /^[\s>]*$/.test(line),
    }
  })
  return { lines, words }
}

/** For each word, the length of the longest run that it belongs to, of words in a row that one of the texts has. */
function runsIn(words: readonly string[], texts: readonly (readonly string[])[]): number[] {
  const said = texts.flatMap((text) => [...text, ''])
  const places = new Map<string, number[]>()
  const key = (list: readonly string[], at: number) => list.slice(at, at + KEY_WORDS).join(' ')
  for (let at = 0; at < said.length; at++) {
    const list = places.get(key(said, at)) ?? []
    if (list.length < MAX_PLACES) places.set(key(said, at), [...list, at])
  }
  const lengthAt = (at: number, place: number) => {
    let length = 0
    while (at + length < words.length && words[at + length] === said[place + length]) length++
    return length
  }
  const runs = words.map(() => 0)
  for (let at = 0; at < words.length; ) {
    const length = Math.max(0, ...(places.get(key(words, at)) ?? []).map((place) => lengthAt(at, place)))
    for (let index = at; index < at + length; index++) runs[index] = Math.max(runs[index] ?? 0, length)
    // The end of a run may be the beginning of another.
    at += Math.max(1, length - LONG_RUN + 1)
  }
  return runs
}

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
