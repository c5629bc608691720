import stringWidth from 'string-width'
import { replaceSteering } from '#shared/steering-characters.ts'

const GAP = '  '
const graphemes = new Intl.Segmenter()

/** Text from a stranger, made harmless for a terminal: no control characters, no change of direction, one line. */
export const printable = (text: string): string => replaceSteering(text)

export type Column = {
  title: string
  cells: string[]
  /** What it is cut to where there is no room; not given: never cut. */
  minimum?: number
  /** Left out, the highest first, where even the minimums do not fit. */
  dispensable?: number
}

/** A table no wider than the terminal, counted as terminals count: a Chinese character or an emoji is two wide. */
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

/** Leaves columns out until the others fit, then shares the room that is left among those that want more. */
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

/** Cut between characters as readers see them, so that no half of an emoji is left. */
function clip(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  let kept = ''
  for (const { segment } of graphemes.segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break
    kept += segment
  }
  return `${kept}…`
}
