import { expect, test } from 'vitest'
import { officeTime, startOfOfficeDay } from './office-time.ts'

test.each(['2026-03-02', '2026-03-08', '2026-03-29', '2026-07-02', '2026-11-01'])(
  'the day %s begins at midnight, office time',
  (day) => {
    expect(officeTime(startOfOfficeDay(day))).toBe(`${day} 00:00:00`)
  },
)

test('the start of a nonexistent day is an invalid date', () => {
  expect(startOfOfficeDay('2026-02-30').getTime()).toBeNaN()
  expect(startOfOfficeDay('soon').getTime()).toBeNaN()
})
