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

type Column = { title: string; cells: string[] }

/**
 * Formats a table without empty columns. The last column is cut off at the terminal's width. A
 * Chinese character or an emoji is as wide as two letters.
 */
export function formatTable(columns: Column[], width: number): string {
  const shown = columns
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .map(({ title, cells }) => [title, ...cells.map(printable)])
  const widths = shown.map((cells) => Math.max(...cells.map((cell) => stringWidth(cell))))
  const others = widths.slice(0, -1).reduce((sum, needed) => sum + needed + GAP.length, 0)
  const last = shown.length - 1
  const pad = (text: string, column: number) => {
    if (column === last) return clip(text, Math.max(width - others, MIN_LAST_WIDTH))
    return text + ' '.repeat((widths[column] ?? 0) - stringWidth(text))
  }
  const rows = shown[0]?.map((_, row) => shown.map((cells, column) => pad(cells[row] ?? '', column)))
  return (rows ?? []).map((cells) => cells.join(GAP).trimEnd()).join('\n')
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
