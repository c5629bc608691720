import { fileInWords } from '#shared/files-in-words.ts'
import type { Quote } from '#shared/inbox/quotes.ts'
import type { SentFile, StoredMessage } from '../../database/schema.ts'

/** What stands for the text of a message that takes too long to read. */
export const UNREADABLE = 'This message cannot be shown here. You find it in your mailbox.'
/** The last line of a text if words of the message may be missing above it. */
export const CUT = 'More of this message is in your mailbox.'

/** A message's text with that line. */
export function addCut(text: string): string {
  if (text === UNREADABLE || text.endsWith(CUT)) return text
  return text === '' ? UNREADABLE : `${text}\n\n${CUT}`
}

/** When a message came that was read then. */
export const cameAt = (readAt: string, { receivedAt = readAt }: Partial<StoredMessage>): string =>
  receivedAt < readAt ? receivedAt : readAt

/** A message's text for its sender, without that line. */
export const withoutCut = (text: string): string =>
  text.endsWith(`\n\n${CUT}`) ? `${text.slice(0, -CUT.length).trimEnd()} […]` : text

/**
 * The names and sizes of the files of a message or an answer. `received`: those of a message, and
 * `files`: those of an answer, as JSON.
 */
export function filesOf({ received, files }: { received: string | null; files: string | null }): string[] {
  const sent: SentFile[] = JSON.parse(files ?? '[]')
  return [...JSON.parse(received ?? '[]'), ...sent.map(fileInWords)]
}

/** The names of a message's files, as they are stored, without the sizes. */
export const fileNames = (attachments: readonly string[]): string[] =>
  attachments.map((file) => file.replace(/ \(\d[\d.]* [kM]B\)$/, ''))

const isMarked = (line: string) => /^\s*>/.test(line)
const endsLikeIntroduction = (line: string) => /[:：]\s*$/u.test(line)
const isHeader = (line: string) => /^[*\s]*\p{L}[\p{L}\p{M} .'’-]{0,20}\*?\s?[:：]/u.test(line)
const isDated = (line: string) => /\p{N}{4}|\p{N}[./:-]\p{N}/u.test(line)

/**
 * A message's text without the lines that are quoted with `>`, with those above them that name
 * somebody, and without those that are an erased person's. If anything is left out, also its
 * quotations, the last line says so: something of it may be the sender's own.
 */
export function withoutQuotes(
  text: string,
  quotes: readonly Quote[],
  isErased: (line: string) => boolean,
): string {
  const lines = text.split('\n')
  const isLeftOut = lines.map((line) => isMarked(line) || isErased(line))
  for (const [index, line] of lines.entries())
    if (endsLikeIntroduction(line) && isMarked(nextOf(lines, index)))
      isLeftOut.fill(true, beginOf(lines, index, isErased), index + 1)
  const kept = lines.filter((_line, index) => !isLeftOut[index])
  return kept.length === lines.length && quotes.length === 0 ? text : addCut(kept.join('\n').trim())
}

/**
 * What of a message's text is surely above what it quotes without `>`: what follows names and
 * dates, as in `From: Eve`, can be an erased person's to the end, as no conversation tells anymore.
 */
export function aboveQuotation(text: string, isErased: (line: string) => boolean): string {
  const lines = text.split('\n')
  const start = lines.findIndex((line, index) => {
    const next = lines[index + 1] ?? ''
    const isBlock = isHeader(line) && isHeader(next) && (isDated(line) || isDated(next))
    const isNamed = (isErased(line) && /[:：]/u.test(line)) || (endsLikeIntroduction(line) && isDated(line))
    return isBlock || (isNamed && !isMarked(nextOf(lines, index)))
  })
  if (start < 0) return text
  const above = lines.slice(0, beginOf(lines, start, isErased))
  return addCut(above.join('\n').trim())
}

/** The next line that isn't blank. */
function nextOf(lines: readonly string[], index: number): string {
  let next = index + 1
  while (lines[next]?.trim() === '') next++
  return lines[next] ?? ''
}

/**
 * Where the lines begin that name who wrote what follows. Mail programs break them before an
 * address.
 */
function beginOf(lines: readonly string[], last: number, isErased: (line: string) => boolean): number {
  const above = lines[last - 1] ?? ''
  const isBroken = !isDated(lines[last] ?? '') && (isDated(above) || isErased(above))
  return isBroken ? last - 1 : last
}
