/** The result of one check, in plain words; `advice` says what to do. */
export type Finding = {
  check: string
  state: 'ok' | 'warning' | 'problem'
  seen: string
  advice: string
}

/** Creates the findings of one check. */
export const findingsAbout = (check: string) => ({
  ok: (seen: string): Finding => ({ check, state: 'ok', seen, advice: '' }),
  warning: (seen: string, advice: string): Finding => ({ check, state: 'warning', seen, advice }),
  problem: (seen: string, advice: string): Finding => ({ check, state: 'problem', seen, advice }),
})
