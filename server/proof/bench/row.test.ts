import { expect, test } from 'vitest'
import { isMet, type Row, ratioOf } from './row.ts'
import { formatRows } from './row-table.ts'

const row = (changes: Partial<Row>): Row => ({ figure: 'posts', unit: '/s', ours: 50, ...changes })
const baseline = { name: 'a bare loop', value: 100 }

test.each([
  ['at least, met', row({ baseline, target: { atLeast: 0.5 } }), true],
  ['at least, missed', row({ baseline, target: { atLeast: 0.51 } }), false],
  ['at most, met', row({ baseline, target: { atMost: 0.5 } }), true],
  ['at most, missed', row({ baseline, target: { atMost: 0.49 } }), false],
  ['without a baseline, met', row({ target: { atMost: 50 } }), true],
  ['without a baseline, missed', row({ target: { atMost: 49 } }), false],
  ['not measured', row({ ours: Number.NaN, target: { atMost: 49 } }), false],
  ['no target', row({ baseline }), undefined],
])('a target: %s', (_name, given, expected) => {
  expect(isMet(given)).toBe(expected)
})

test('the ratio is ours divided by the baseline', () => {
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
