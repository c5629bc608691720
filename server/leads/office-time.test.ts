import { expect, test } from 'vitest'
import { officeTime, startOfOfficeDay } from './office-time.ts'

test.each(['2026-03-02', '2026-03-08', '2026-03-29', '2026-07-02', '2026-11-01'])(
  'the day %s begins at midnight, office time',
  (day) => {
    expect(officeTime(startOfOfficeDay(day))).toBe(`${day} 00:00:00`)
  },
)
