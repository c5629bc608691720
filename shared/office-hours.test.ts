import { expect, test } from 'vitest'
import { hours } from '#facts/hours.ts'
import { promises } from '#facts/promises.ts'

import { formatOfficeHours, type OfficeHours } from './office-hours.ts'

test('the page promises a quote within 24 hours, a reply within 4 hours, and office hours from 8am to 6pm', () => {
  expect([promises.quote, promises.emailReply, hours.text]).toEqual([
    '24 hours',
    '4 hours',
    'Mon-Fri 8am-6pm EST',
  ])
})

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

test('the time zone abbreviation matches the office time zone', () => {
  const nameOf = (month: number) =>
    new Intl.DateTimeFormat('en-US', { timeZone: hours.timeZone, timeZoneName: 'short' })
      .formatToParts(new Date(Date.UTC(2026, month)))
      .find(({ type }) => type === 'timeZoneName')?.value

  expect([nameOf(0), nameOf(6)]).toContain(hours.text.split(' ').at(-1))
})
