import { expect, test } from 'vitest'
import { atOffice } from '../proof/testing/at-office.ts'
import { parseSince } from './parse-since.ts'

// A Tuesday evening at the office. If the office is in New York, for example, it is already Wednesday in UTC, and daylight
// saving time began two days earlier.
const now = atOffice('2026-03-10T21:30')

test.each([
  ['today', '2026-03-10T00:00'],
  ['Yesterday', '2026-03-09T00:00'],
  ['tuesday', '2026-03-10T00:00'],
  ['mon', '2026-03-09T00:00'],
  ['Sunday', '2026-03-08T00:00'],
  ['wednesday', '2026-03-04T00:00'],
  ['2026-03-02', '2026-03-02T00:00'],
  ['12h', '2026-03-10T09:30'],
  ['12 hours ago', '2026-03-10T09:30'],
  ['1 day', '2026-03-09T21:30'],
  ['7d', '2026-03-03T21:30'],
  ['2 weeks', '2026-02-24T21:30'],
  ['1 month ago', '2026-02-10T21:30'],
])('--since %s means %s', (text, expected) => {
  expect(parseSince(text, now)).toEqual(atOffice(expected))
})

test('a month before March 31 is the last day of February', () => {
  const since = parseSince('1 month', atOffice('2026-03-31T11:00'))

  expect(since).toEqual(atOffice('2026-02-28T11:00'))
})

test.each(['', 'soon', '2026-02-30', '7 years', '99999d', 'tomorrow', '3/31/2026', '-1d'])(
  '--since %j is invalid',
  (text) => {
    expect(parseSince(text, now)).toBeUndefined()
  },
)
