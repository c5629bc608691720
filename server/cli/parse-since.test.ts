import { expect, test } from 'vitest'
import { parseSince } from './parse-since.ts'

// Tuesday in the office, but already Wednesday in UTC. DST started on Sunday, March 8.
const now = new Date('2026-03-11T01:30:00.000Z')

test.each([
  ['today', '2026-03-10T04:00'],
  ['Yesterday', '2026-03-09T04:00'],
  ['tuesday', '2026-03-10T04:00'],
  ['mon', '2026-03-09T04:00'],
  ['Sunday', '2026-03-08T05:00'],
  ['wednesday', '2026-03-04T05:00'],
  ['2026-03-02', '2026-03-02T05:00'],
  ['12h', '2026-03-10T13:30'],
  ['12 hours ago', '2026-03-10T13:30'],
  ['1 day', '2026-03-10T01:30'],
  ['7d', '2026-03-04T02:30'],
  ['2 weeks', '2026-02-25T02:30'],
  ['1 month ago', '2026-02-11T02:30'],
])('--since %s means %s', (text, expected) => {
  expect(parseSince(text, now)?.toISOString().slice(0, 16)).toBe(expected)
})

test('a month before March 31 is the last day of February', () => {
  const since = parseSince('1 month', new Date('2026-03-31T15:00:00.000Z'))

  expect(since?.toISOString().slice(0, 16)).toBe('2026-02-28T16:00')
})

test.each(['', 'soon', '2026-02-30', '7 years', '99999d', 'tomorrow', '3/31/2026', '-1d'])(
  '--since %j is invalid',
  (text) => {
    expect(parseSince(text, now)).toBeUndefined()
  },
)
