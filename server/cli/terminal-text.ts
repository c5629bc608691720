import stringWidth from 'string-width'
import { replaceInvisible } from '#shared/invisible-characters.ts'

const GAP = '  '
const graphemes = new Intl.Segmenter()

/** Makes text from visitors safe for a terminal: one line, no control characters, no change of text direction. */
export const printable = (text: string): string => replaceInvisible(text)

export type Column = {
  title: string
  cells: string[]
  /** The width it may shrink to. Without it, the column never shrinks. */
  minimum?: number
  /** Columns with a higher value are dropped first if even the minimum widths do not fit. */
  dispensable?: number
}

/** A table that fits the terminal's width, where a Chinese character or an emoji takes two columns. */
export function formatTable(columns: Column[], width: number): string {
  const kept = fit(columns.filter(({ cells }) => cells.some((cell) => cell !== '')).map(measure), width)
  const lines = [kept.map(({ title }) => title)]
  for (const row of (kept[0]?.cells ?? []).keys()) lines.push(kept.map(({ cells }) => cells[row] ?? ''))
  return lines
    .map((cells) =>
      cells
        .map((cell, at) => pad(cell, kept[at]?.width ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n')
}

type Measured = Column & { needed: number; width: number }

function measure(column: Column): Measured {
  const cells = column.cells.map(printable)
  const needed = Math.max(...[column.title, ...cells].map((cell) => stringWidth(cell)))
  return { ...column, cells, needed, width: Math.min(needed, column.minimum ?? needed) }
}

/** Drops columns until the rest fit, then shares the remaining width among those that need more. */
function fit(columns: Measured[], width: number): Measured[] {
  let room = width - columns.reduce((sum, column) => sum + column.width + GAP.length, -GAP.length)
  const least = columns.toSorted((a, b) => (b.dispensable ?? 0) - (a.dispensable ?? 0))[0]
  if (room < 0 && least?.dispensable)
    return fit(
      columns.filter((column) => column !== least),
      width,
    )

  const wanting = () => columns.filter((column) => column.width < column.needed)
  for (let more = wanting(); room > 0 && more.length > 0; more = wanting())
    for (const column of more.slice(0, room)) {
      column.width++
      room--
    }
  return columns
}

function pad(text: string, width: number): string {
  const clipped = clip(text, width)
  return clipped + ' '.repeat(Math.max(0, width - stringWidth(clipped)))
}

/** Cuts between graphemes, so that no emoji is split. */
function clip(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  let kept = ''
  for (const { segment } of graphemes.segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break
    kept += segment
  }
  return `${kept}…`
}
