import { expect, test } from 'vitest'
import { measureRounds, middleRound } from './rounds.ts'

const ratio = (ours: number, theirs: number) => ours / theirs

test('the two sides take turns, and the first round is only a warm-up', async () => {
  const turns: string[] = []
  const turn = (side: string) => async () => turns.push(side)

  const rounds = await measureRounds(2, turn('ours'), turn('theirs'))

  expect(turns).toEqual(['ours', 'theirs', 'ours', 'theirs', 'ours', 'theirs'])
  expect(rounds).toEqual([
    { ours: 3, theirs: 4 },
    { ours: 5, theirs: 6 },
  ])
})

test('the middle round is the one with the median ratio, not the one with a median time', () => {
  const [slow, usual, fast] = [
    { ours: 9, theirs: 3 },
    { ours: 100, theirs: 50 },
    { ours: 4, theirs: 4 },
  ] as const

  expect(middleRound([slow, usual, fast], ratio)).toBe(usual)
})

test('looking for the middle round fails if there are no rounds', () => {
  expect(() => middleRound([], ratio)).toThrow('Nothing was measured.')
})
