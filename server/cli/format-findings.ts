import type { Finding } from '../doctor/finding.ts'

/** The findings for people, a line each, with what to do below. */
export function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const indent = ' '.repeat(11 + width)
  const lines = findings.flatMap(({ check, state, seen, advice }) => [
    `${state.padEnd(7)}  ${check.padEnd(width)}  ${seen}`,
    ...(advice ? [`${indent}${advice}`] : []),
  ])
  const count = (state: Finding['state']) => findings.filter((finding) => finding.state === state).length
  return [...lines, '', `${count('problem')} problems, ${count('warning')} warnings.`].join('\n')
}
