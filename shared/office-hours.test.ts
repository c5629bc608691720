import { expect, test } from 'vitest'
import { formatOfficeHours, formatTimeInZone, type OfficeHours } from './office-hours.ts'

const timeZone = 'America/New_York'
test.each<[OfficeHours, string]>([
  [{ days: ['Monday'], opens: '00:00', closes: '12:00', timeZone }, 'Mon 12am-12pm'],
  [{ days: ['Monday', 'Tuesday'], opens: '08:30', closes: '17:05', timeZone }, 'Mon-Tue 8:30am-5:05pm'],
  [
    {
      days: ['Monday', 'Wednesday', 'Thursday', 'Friday', 'Sunday'],
      opens: '09:00',
      closes: '17:00',
      timeZone,
    },
    'Mon, Wed-Fri, Sun 9am-5pm',
  ],
])('%o is formatted as "%s"', (office, text) => {
  expect(formatOfficeHours(office)).toBe(text)
})

test('a time and its zone stay on one line', () => {
  expect(formatTimeInZone('17:30', 'EST')).toBe('5:30pm\u00a0EST')
})
