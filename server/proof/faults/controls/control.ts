import { expectThat, type FaultCase } from '../fault-case.ts'
import { assertApplies, type Weakness } from './weakenings.ts'

type Control = Pick<FaultCase, 'needs' | 'isSqliteOnly' | 'inShortRun'> & {
  what: string
  weakness: Weakness
  /** Checks the program with one guarantee removed. Returns what is wrong, or throws it. */
  check: (weakness: Weakness) => Promise<string | string[]>
}

/**
 * Creates a case with one guarantee removed, in which the check must fail: a check that can't fail
 * proves nothing.
 */
export const control = ({ what, weakness, check, ...rest }: Control): FaultCase => ({
  ...rest,
  family: 'control',
  fault: `"${what}", sabotaged: ${weakness}`,
  expected: 'the check fails',
  isControl: true,
  async run() {
    assertApplies(weakness)
    const found = await check(weakness).catch((error: Error) => [error.message])
    expectThat(Array.isArray(found) && found.length > 0, 'the check passes, so it proves nothing')
    return `fails: ${found.join('; ')}`
  },
})
