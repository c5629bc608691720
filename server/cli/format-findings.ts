import { count } from '../count.ts'
import type { Finding } from '../doctor/finding.ts'

/** The findings for people, a line each, with what to do below. */
export function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const indent = ' '.repeat(11 + width)
  const lines = findings.flatMap(({ check, state, seen, advice }) => [
    `${state.padEnd(7)}  ${check.padEnd(width)}  ${seen}`,
    ...(advice ? [`${indent}${advice}`] : []),
  ])
  const countOf = (state: Finding['state']) =>
    count(findings.filter((finding) => finding.state === state).length, state)
  return [...lines, '', `${countOf('problem')}, ${countOf('warning')}.`].join('\n')
}
