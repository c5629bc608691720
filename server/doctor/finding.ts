/** What a look at one thing has shown, in plain words; `advice` says what to do about it. */
export type Finding = {
  check: string
  state: 'ok' | 'warning' | 'problem'
  seen: string
  advice: string
}

/** The three kinds of findings about one thing. */
export const findingsAbout = (check: string) => ({
  ok: (seen: string): Finding => ({ check, state: 'ok', seen, advice: '' }),
  warning: (seen: string, advice: string): Finding => ({ check, state: 'warning', seen, advice }),
  problem: (seen: string, advice: string): Finding => ({ check, state: 'problem', seen, advice }),
})
