import { expect, test } from 'vitest'
import { hours } from '#facts/hours.ts'
import { promises } from '#facts/promises.ts'

test('the page promises a quote within 24 hours, a reply within 4 hours, and office hours from 8am to 6pm', () => {
  expect([promises.quote, promises.emailReply, hours.text]).toEqual([
    '24 hours',
    '4 hours',
    'Mon-Fri 8am-6pm EST',
  ])
})

test("the last word of the office hours' text is an abbreviation of the office's time zone", () => {
  const nameOf = (month: number) =>
    new Intl.DateTimeFormat('en-US', { timeZone: hours.timeZone, timeZoneName: 'short' })
      .formatToParts(new Date(Date.UTC(2026, month)))
      .find(({ type }) => type === 'timeZoneName')?.value

  expect([nameOf(0), nameOf(6)]).toContain(hours.text.split(' ').at(-1))
})
