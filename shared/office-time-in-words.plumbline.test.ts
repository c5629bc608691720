import { expect, test } from 'vitest'
import { officeZone } from './office-time.ts'
import { officeTimeInWords } from './office-time-in-words.ts'

test.each([
  ['2026-03-02T15:00', 'Monday, March 2 at 10am EST'],
  ['2026-06-01T20:30', 'Monday, June 1 at 4:30pm EDT'],
  ['2026-03-03T04:59', 'Monday, March 2 at 11:59pm EST'],
])('%s UTC is "%s" at the office', (time, words) => {
  expect(officeTimeInWords(new Date(`${time}Z`))).toBe(words)
  expect(officeZone(`${time}Z`)).toBe(words.slice(-3))
})
