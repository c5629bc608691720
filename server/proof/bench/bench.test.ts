import { expect, test } from 'vitest'
import { middleRound } from './rounds.ts'
import { formatRows, isMet, type Row } from './row.ts'

const row = (changes: Partial<Row>): Row => ({ figure: 'posts', unit: '/s', ours: 50, ...changes })
const baseline = { name: 'a bare loop', value: 100 }

test.each([
  ['the lowest allowed ratio meets the target', row({ baseline, target: { atLeast: 0.5 } }), true],
  ['a lower ratio misses the target', row({ baseline, target: { atLeast: 0.51 } }), false],
  ['a higher ratio misses the target', row({ baseline, target: { atMost: 0.49 } }), false],
  ['without a baseline, the highest allowed value meets the target', row({ target: { atMost: 50 } }), true],
  ['a failed measurement misses the target', row({ ours: Number.NaN, target: { atMost: 49 } }), false],
  ['without a target, there is no verdict', row({ baseline }), undefined],
])('%s', (_, given, expected) => {
  expect(isMet(given)).toBe(expected)
})

test('the table has aligned columns and notes below', () => {
  const rows = [
    row({ ours: 12_345, baseline, target: { atLeast: 0.4 }, note: 'Twice as fast.' }),
    row({ figure: 'memory', unit: 'MB', ours: 130.4, target: { atMost: 120 } }),
  ]

  expect(formatRows(rows).split('\n')).toEqual([
    'figure       ours  baseline   ratio  target     verdict  baseline is',
    'posts   12,300 /s    100 /s  123.45  >= 0.4 x   met      a bare loop',
    'memory     130 MB                    <= 120 MB  MISSED',
    '',
    'posts: Twice as fast.',
  ])
})

test('the middle round is the one with the median ratio, not the one with a median time', () => {
  const rounds = [
    { ours: 9, theirs: 3 },
    { ours: 100, theirs: 50 },
    { ours: 4, theirs: 4 },
  ]

  expect(middleRound(rounds, (ours, theirs) => ours / theirs)).toBe(rounds[1])
})
