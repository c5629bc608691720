import { expect, test } from 'vitest'
import { isMet, type Row, ratioOf } from './row.ts'
import { formatRows } from './row-table.ts'

const row = (changes: Partial<Row>): Row => ({ figure: 'posts', unit: '/s', ours: 50, ...changes })
const baseline = { name: 'a bare loop', value: 100 }

test.each([
  ['the lowest allowed ratio meets the target', row({ baseline, target: { atLeast: 0.5 } }), true],
  ['a lower ratio misses the target', row({ baseline, target: { atLeast: 0.51 } }), false],
  ['the highest allowed ratio meets the target', row({ baseline, target: { atMost: 0.5 } }), true],
  ['a higher ratio misses the target', row({ baseline, target: { atMost: 0.49 } }), false],
  ['without a baseline, the highest allowed value meets the target', row({ target: { atMost: 50 } }), true],
  ['without a baseline, a higher value misses the target', row({ target: { atMost: 49 } }), false],
  ['a failed measurement misses the target', row({ ours: Number.NaN, target: { atMost: 49 } }), false],
  ['without a target, there is no verdict', row({ baseline }), undefined],
])('%s', (_name, given, expected) => {
  expect(isMet(given)).toBe(expected)
})

test('the ratio is our value divided by the baseline', () => {
  expect(ratioOf(row({ baseline }))).toBe(0.5)
})

test('the table has aligned columns and notes below', () => {
  const rows = [
    row({ ours: 12_345, baseline, target: { atLeast: 0.4 }, note: 'Twice as fast.' }),
    row({ figure: 'memory', unit: 'MB', ours: 130.4, target: { atMost: 120 } }),
  ]

  expect(formatRows(rows)).toBe(
    [
      'figure       ours  baseline   ratio  target     verdict  baseline is',
      'posts   12,300 /s    100 /s  123.45  >= 0.4 x   met      a bare loop',
      'memory     130 MB                    <= 120 MB  MISSED',
      '',
      'posts: Twice as fast.',
    ].join('\n'),
  )
})
