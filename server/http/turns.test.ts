import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('in each turn of the event loop, as many calls as allowed resolve, oldest first', async () => {
  const turn = createTurns(2)
  const resolved: number[] = []
  const all = [1, 2, 3, 4, 5].map((call) => turn().then(() => resolved.push(call)))
  const seen: number[][] = []
  for (let count = 0; count < 4; count++) {
    await nextTurn()
    seen.push([...resolved])
  }
  await Promise.all(all)

  expect(seen.filter(({ length }) => length > 0).slice(0, 3)).toEqual([
    [1, 2],
    [1, 2, 3, 4],
    [1, 2, 3, 4, 5],
  ])
})

test('a call resolves even if all earlier calls have already resolved', async () => {
  const turn = createTurns(1)
  await turn()

  await expect(turn()).resolves.toBeUndefined()
})
