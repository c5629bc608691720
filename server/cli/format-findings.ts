import { count } from '../count.ts'
import type { Finding } from '../doctor/finding.ts'

// The longest name of a check: "data directory".
const WIDTH = 14
const indent = ' '.repeat(11 + WIDTH)

/** One finding as a line, with the advice below it. */
export const formatFinding = ({ check, state, seen, advice }: Finding): string =>
  [`${state.padEnd(7)}  ${check.padEnd(WIDTH)}  ${seen}`, ...(advice ? [`${indent}${advice}`] : [])].join(
    '\n',
  )

/** How many findings need action. */
export function countFindings(findings: readonly Finding[]): string {
  const countOf = (state: Finding['state']) =>
    count(findings.filter((finding) => finding.state === state).length, state)
  return `${countOf('problem')}, ${countOf('warning')}.`
}
