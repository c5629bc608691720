import stringWidth from 'string-width'
import { replaceInvisible } from '#shared/text/invisible-characters.ts'

const GAP = '  '
const MIN_LAST_WIDTH = 16
const graphemes = new Intl.Segmenter()
// The width if the output is not a terminal: wide, so that `leads list | grep` finds text that a
// terminal would cut off.
const PIPE_WIDTH = 200

/** The width of the terminal, in characters. */
export const terminalWidth = (): number => process.stdout.columns || Number(process.env.COLUMNS) || PIPE_WIDTH

export function print(text: string) {
  process.stdout.write(`${text}\n`)
}

/**
 * Prints JSON. Escapes every terminal control character, because JSON.stringify escapes only those
 * below U+0020.
 */
export function printJson(value: unknown) {
  const json = JSON.stringify(value, null, 2)
  print(replaceInvisible(json, (run) => run.replace(/[^\n]/g, escapeCodeUnit)))
}

const escapeCodeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * Makes visitors' text safe for a terminal: one line, no control characters, no changes of text
 * direction.
 */
export const printable = (text: string): string => replaceInvisible(text)

/**
 * Formats the rows of a table, of which the first has the titles. The last column is cut off at the
 * terminal's width. A Chinese character or an emoji is as wide as two letters.
 */
export function formatTable(rows: string[][], width: number): string {
  const shown = rows.map((row) => row.map(printable))
  const widthOf = (column: number) => Math.max(...shown.map((row) => stringWidth(row[column] ?? '')))
  const widths = (shown[0] ?? []).map((_title, column) => widthOf(column))
  const lines = shown.map((row) => {
    const padded = row.slice(0, -1).map((text, column) => {
      const missing = (widths[column] ?? 0) - stringWidth(text)
      return text + ' '.repeat(missing) + GAP
    })
    const start = padded.join('')
    const last = clip(row.at(-1) ?? '', Math.max(width - stringWidth(start), MIN_LAST_WIDTH))
    return (start + last).trimEnd()
  })
  return lines.join('\n')
}

/** Truncates between graphemes, so that no emoji is split. */
function clip(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  let kept = ''
  for (const { segment } of graphemes.segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break
    kept += segment
  }
  return `${kept}…`
}
