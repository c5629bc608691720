import stringWidth from 'string-width'
import { replaceInvisible } from '#shared/invisible-characters.ts'

const GAP = '  '
const graphemes = new Intl.Segmenter()

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
