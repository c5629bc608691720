import stringWidth from 'string-width'
import { replaceInvisible } from '#shared/invisible-characters.ts'

const GAP = '  '
const graphemes = new Intl.Segmenter()
const MIN_INTERVAL_MS = 100
// The width if the output is not a terminal: wide, so that `leads list | grep` finds text that a terminal would cut off.
const PIPE_WIDTH = 200

/** The width of the terminal, in characters. */
export const terminalWidth = (): number => process.stdout.columns || Number(process.env.COLUMNS) || PIPE_WIDTH

export function print(text: string) {
  process.stdout.write(`${text}\n`)
}

/** Prints JSON. Escapes every terminal control character, because JSON.stringify escapes only those below U+0020. */
export function printJson(value: unknown) {
  const json = JSON.stringify(value, null, 2)
  print(replaceInvisible(json, (run) => run.replace(/[^\n]/g, escapeCodeUnit)))
}

const escapeCodeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Creates a progress line on stderr. Prints nothing if stderr is not a terminal. */
export function createProgress(describe: (progress: number) => string) {
  const { stderr } = process
  let shownAt = 0
  return {
    show(progress: number) {
      if (!stderr.isTTY || Date.now() - shownAt < MIN_INTERVAL_MS) return
      shownAt = Date.now()
      stderr.write(`\r\u001b[K${describe(progress)}`)
    },
    clear() {
      if (stderr.isTTY) stderr.write('\r\u001b[K')
    },
  }
}

/** Creates a progress line for copying a database. Its `show` expects a fraction from 0 to 1. */
export const createCopyProgress = () => createProgress((fraction) => `Copying ${Math.floor(fraction * 100)}%`)

/** Makes visitors' text safe for a terminal: one line, no control characters, no changes of text direction. */
export const printable = (text: string): string => replaceInvisible(text)

export type Column = {
  title: string
  cells: string[]
  /** The minimum width in characters. Without it, the column never shrinks. */
  minimum?: number
  /**
   * If the minimum widths do not fit, the column with the highest `dropPriority` is dropped first. A column without one is
   * never dropped.
   */
  dropPriority?: number
}

/** Formats a table that fits the terminal's width. A Chinese character or an emoji is as wide as two letters. */
export function formatTable(columns: Column[], width: number): string {
  const shown = fit(columns.filter(({ cells }) => cells.some((cell) => cell !== '')).map(measure), width)
  const line = (cellOf: (column: Measured) => string | undefined) =>
    shown
      .map((column) => pad(cellOf(column) ?? '', column.width))
      .join(GAP)
      .trimEnd()
  const rows = (shown[0]?.cells ?? []).map((_cell, row) => line(({ cells }) => cells[row]))
  return [line(({ title }) => title), ...rows].join('\n')
}

type Measured = Column & { needed: number; width: number }

function measure(column: Column): Measured {
  const cells = column.cells.map(printable)
  const needed = Math.max(...[column.title, ...cells].map((cell) => stringWidth(cell)))
  return { ...column, cells, needed, width: Math.min(needed, column.minimum ?? needed) }
}

/** Drops columns until the rest fit, then shares the remaining width among the columns that need more. */
function fit(columns: Measured[], width: number): Measured[] {
  let free = width - columns.reduce((sum, column) => sum + column.width + GAP.length, -GAP.length)
  const [dropped] = columns.toSorted((a, b) => (b.dropPriority ?? 0) - (a.dropPriority ?? 0))
  const others = columns.filter((column) => column !== dropped)
  if (free < 0 && dropped?.dropPriority) return fit(others, width)

  const narrow = () => columns.filter((column) => column.width < column.needed)
  for (let next = narrow(); free > 0 && next.length > 0; next = narrow())
    for (const column of next.slice(0, free)) {
      column.width++
      free--
    }
  return columns
}

function pad(text: string, width: number): string {
  const clipped = clip(text, width)
  return clipped + ' '.repeat(Math.max(0, width - stringWidth(clipped)))
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
