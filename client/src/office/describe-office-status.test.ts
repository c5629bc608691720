import { expect, test } from 'vitest'
import { hours } from '#facts/hours.ts'
import { describeOfficeStatus } from './describe-office-status.ts'

// 2026-12-23 is a Wednesday, and the office is closed until the new year.
const holidays = Array.from({ length: 8 }, (_, day) => `2026-12-${24 + day}`)
const closedOn = [...holidays, '2027-01-01']

test.each([
  ['2026-12-21T17:00Z', 'Open now until 6pm'],
  ['2026-12-21T12:59Z', 'Opens Mon 8am'],
  ['2026-12-21T23:00Z', 'Opens Tue 8am'],
  ['2026-12-19T17:00Z', 'Opens Mon 8am'],
  ['2026-12-28T17:00Z', 'Opens Jan 4 8am'],
  ['2026-12-29T17:00Z', 'Opens Mon 8am'],
])('at %s, the page says "%s"', (time, text) => {
  expect(describeOfficeStatus({ hours, closedOn }, new Date(time))).toBe(text)
})

test('the page says nothing about an office that never opens', () => {
  expect(describeOfficeStatus({ hours: { ...hours, days: [] }, closedOn }, new Date())).toBeUndefined()
})
