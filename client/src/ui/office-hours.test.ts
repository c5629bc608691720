import { expect, test } from 'vitest'
import { workdaysOnly } from '#brand/words/contact.ts'
import { openNow, opensNext } from '#brand/words/hours.ts'
import { hours as ownHours } from '#facts/hours.ts'
import { locale } from '#shared/computed-facts.ts'
import { exampleOffice } from '../../../server/proof/testing/example-office.ts'
import { describeOfficeStatus } from './office-hours.tsx'

const { hours } = exampleOffice
const { zone, text: hoursText } = ownHours
const januaryFourth = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' }).format(
  new Date(2027, 0, 4),
)

// The office is closed from Thursday, December 24, through Friday, January 1.
const holidays = Array.from({ length: 8 }, (_, day) => `2026-12-${24 + day}`)
const closedOn = [...holidays, '2027-01-01']

test.each([
  ['2026-12-21T17:00Z', openNow],
  ['2026-12-21T12:59Z', opensNext.replace('{day}', 'Mon')],
  ['2026-12-21T23:00Z', opensNext.replace('{day}', 'Tue')],
  ['2026-12-19T17:00Z', opensNext.replace('{day}', 'Mon')],
  ['2026-12-28T17:00Z', opensNext.replace('{day}', januaryFourth)],
  ['2026-12-29T17:00Z', opensNext.replace('{day}', 'Mon')],
])('at %s, the page says "%s"', (time, text) => {
  expect(describeOfficeStatus({ hours, closedOn }, new Date(time))).toBe(text)
})

test.each([openNow, opensNext, hoursText, workdaysOnly])(
  'visitors elsewhere can tell which time zone is meant: "%s"',
  (text) => {
    expect(text.replace(/[.!]$/, '')).toMatch(new RegExp(`\\d(am|pm)\\s${zone}$`))
  },
)

test('an office that never opens has no status', () => {
  expect(describeOfficeStatus({ hours: { ...hours, days: [] }, closedOn }, new Date())).toBeUndefined()
})
