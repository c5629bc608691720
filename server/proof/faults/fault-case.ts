import type { Need } from '../testing/needs.ts'

/** One line of the report: what is done to the program, what must then hold, and how that is found out. */
export type FaultCase = {
  family: string
  fault: string
  expected: string
  /** What the machine must offer; without it the case is skipped, with the reason. */
  needs?: readonly Need[]
  /** About what only SQLite has: its file, its log, its lock, this machine's clock. Left out with `--database postgres`. */
  isAboutSqlite?: boolean
  /** Left out of the short form. */
  isLong?: boolean
  /** A check that must turn red because one guarantee is switched off. */
  isControl?: boolean
  /** Measures time, so nothing else may run beside it. */
  isAlone?: boolean
  /** Returns what was seen; throws a Miss, or anything else, when it is not what was expected. */
  run: (form: Form) => Promise<string>
}

export type Form = { isShort: boolean; rounds: number }

/** What was seen is not what was expected. */
export class Miss extends Error {
  override name = 'Miss'
}

export function expectThat(condition: boolean, seen: string): asserts condition {
  if (!condition) throw new Miss(seen)
}
