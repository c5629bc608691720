import { expect, test } from 'vitest'
import { officeTime, officeZone, startOfOfficeDay } from './office-time.ts'

test('office time takes daylight saving time into account', () => {
  expect([officeTime('2026-03-02T15:00:05Z'), officeZone('2026-03-02T15:00:05Z')]).toEqual([
    '2026-03-02 10:00:05',
    'EST',
  ])
  expect([officeTime('2026-07-02T15:00:05Z'), officeZone('2026-07-02T15:00:05Z')]).toEqual([
    '2026-07-02 11:00:05',
    'EDT',
  ])
})

test.each([
  ['2026-03-02', '2026-03-02T05:00:00.000Z'],
  ['2026-03-08', '2026-03-08T05:00:00.000Z'],
  ['2026-03-09', '2026-03-09T04:00:00.000Z'],
  ['2026-11-01', '2026-11-01T04:00:00.000Z'],
  ['2026-11-02', '2026-11-02T05:00:00.000Z'],
])('the day %s begins at %s', (day, time) => {
  expect(startOfOfficeDay(day).toISOString()).toBe(time)
})
