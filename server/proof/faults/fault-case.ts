import type { Need } from '../testing/needs.ts'

/**
 * A fault, what must be true afterward, and how to check that. The report has one line for each
 * case.
 */
export type FaultCase = {
  family: string
  fault: string
  expected: string
  /**
   * What the machine must provide. If it lacks anything, the case is skipped and the report says
   * why.
   */
  needs?: readonly Need[]
  /**
   * Skipped with `--database postgres`: the case tests SQLite itself, or something that doesn't
   * depend on the database.
   */
  isSqliteOnly?: boolean
  /** Part of `--short`, which has a case of each kind. */
  inShortRun?: boolean
  /** Proves that a check can fail: removes one guarantee and expects the check to notice. */
  isControl?: boolean
  /** Returns what happened. Throws a `Miss` if something else was expected. */
  run: () => Promise<string>
}

/** The program didn't do what was expected. */
export class Miss extends Error {
  override name = 'Miss'
}

export function expectThat(condition: boolean, seen: string): asserts condition {
  if (!condition) throw new Miss(seen)
}
