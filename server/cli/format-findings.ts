import { count } from '../count.ts'
import type { Finding } from '../doctor/finding.ts'

// As long as the longest name of a check, "data directory".
const WIDTH = 14
const indent = ' '.repeat(11 + WIDTH)

/** A finding for people: a line, with what to do below. */
export const formatFinding = ({ check, state, seen, advice }: Finding): string =>
  [`${state.padEnd(7)}  ${check.padEnd(WIDTH)}  ${seen}`, ...(advice ? [`${indent}${advice}`] : [])].join(
    '\n',
  )

/** How many of the findings call for something to be done. */
export function countFindings(findings: readonly Finding[]): string {
  const countOf = (state: Finding['state']) =>
    count(findings.filter((finding) => finding.state === state).length, state)
  return `${countOf('problem')}, ${countOf('warning')}.`
}
