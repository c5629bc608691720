import { expectThat, type FaultCase } from '../fault-case.ts'
import { assertApplies, type Weakness } from './weakenings.ts'

/** Checks the program, with one guarantee removed if `weakness` is given. Returns what is wrong. */
export type Check = (weakness?: Weakness) => Promise<string[]>
type Checked = Pick<FaultCase, 'needs' | 'isSqliteOnly' | 'isLong'> & { what: string; check: Check }

/** Creates a case in which the check must find nothing wrong. */
export const guarantee = ({ what, check, ...rest }: Checked): FaultCase => ({
  ...rest,
  family: 'guarantee',
  fault: what,
  expected: 'true',
  async run() {
    const found = await check()
    expectThat(found.length === 0, found.join('; '))
    return 'true'
  },
})

/** Creates a case with one guarantee removed, in which the check must fail: a check that can't fail proves nothing. */
export const control = ({ what, weakness, check, ...rest }: Checked & { weakness: Weakness }): FaultCase => ({
  ...rest,
  family: 'control',
  fault: `"${what}", sabotaged: ${weakness}`,
  expected: 'the check fails',
  isControl: true,
  async run() {
    assertApplies(weakness)
    const found = await check(weakness)
    expectThat(found.length > 0, 'the check passes, so it proves nothing')
    return `fails: ${found.join('; ')}`
  },
})

/** Returns the error message if the promise rejects, and an empty list otherwise. */
export const faultsOf = (outcome: Promise<unknown>): Promise<string[]> =>
  outcome.then(
    () => [],
    (error: Error) => [error.message],
  )
