/** What a script learns from a command; the README and `leads --help` name them. */
export const exitCodes = { ok: 0, failed: 1, usage: 2, nothingDone: 3 } as const

/** An end that is told in one sentence, without a stack. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message)
    this.exitCode = exitCode
  }
}
