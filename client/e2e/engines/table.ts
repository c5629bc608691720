import type { Outcome } from './walk.ts'

export type Column = { heading: string; outcomes: ReadonlyMap<string, Outcome> }

/** A table with a row for each step. Below the table are the numbered reasons why steps failed or weren't possible. */
export function formatTable(steps: readonly string[], columns: readonly Column[]): string {
  const reasons: string[] = []
  const cellOf = ({ outcomes }: Column, step: string) => {
    const { verdict, why } = outcomes.get(step) ?? { verdict: 'failed', why: 'never reached' }
    if (!why) return verdict
    if (!reasons.includes(why)) reasons.push(why)
    return `${verdict} [${reasons.indexOf(why) + 1}]`
  }
  const rows = [
    ['', ...columns.map(({ heading }) => heading)],
    ...steps.map((step) => [step, ...columns.map((column) => cellOf(column, step))]),
  ]
  const widths = rows[0]?.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0))) ?? []
  const lines = rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return [...lines, ...reasons.map((reason, index) => `[${index + 1}] ${reason}`)].join('\n')
}
