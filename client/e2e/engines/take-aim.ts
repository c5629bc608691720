import type { Target } from './engine.ts'
import type { aimAt } from './in-page.ts'
import { waitFor } from './wait-for.ts'

type Aim = ReturnType<typeof aimAt>

/** Waits until the element stops moving: a loading font can shift it. Rejects if something covers the element. */
export async function takeAim({ css, text = '' }: Target, measure: () => Promise<Aim>): Promise<Aim> {
  let last: Aim | undefined
  const aim = await waitFor(`${css} "${text}" stands still`, async () => {
    const before = last
    last = await measure()
    return before?.x === last.x && before.y === last.y && last
  })
  if (aim.coveredBy) throw new Error(`${css} "${text}" is covered by ${aim.coveredBy}`)
  return aim
}
