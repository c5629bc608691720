import { expect, test } from 'vitest'
import { closedOn, hours } from '#facts/hours.ts'
import { responseTimes } from '#facts/promises.ts'
import { findInvalidOfficeFact } from './find-invalid-office-fact.ts'

const ours = { hours, closedOn, responseTimes }
const withHours = (change: object) => ({ ...ours, hours: { ...hours, ...change } })
const withTimes = (change: object) => ({ ...ours, responseTimes: { ...responseTimes, ...change } })

test.each([
  {},
  { days: ['Sunday'] },
  { days: ['Wednesday', 'Monday'] },
  { opens: '00:00', closes: '23:59' },
  { timeZone: 'Europe/Berlin' },
  { timeZone: 'UTC' },
])('office hours with %o are fine', (change) => {
  expect(findInvalidOfficeFact(withHours(change))).toBeUndefined()
})

test.each([{ quoteWorkdays: 1 }, { quoteWorkdays: 1000 }, { emailReplyOfficeHours: 24 }])(
  'response times with %o are fine',
  (change) => {
    expect(findInvalidOfficeFact(withTimes(change))).toBeUndefined()
  },
)

const wrongTimes = ['8:00', '08:0', '0800', '24:00', '12:60', '08:00:00', '8am', '', ' 08:00', 8, undefined]
const wrongDays = [[], ['Mon'], ['monday'], ['Monday '], ['Monday', 'Teusday'], ['Monday', 'Monday'], [1]]
const wrong: Record<string, unknown[]> = {
  days: [...wrongDays, 'Monday', undefined],
  opens: wrongTimes,
  closes: wrongTimes,
  timeZone: ['America/NewYork', 'New York', '', ' ', undefined, null, 5],
}

test.each(Object.entries(wrong).flatMap(([fact, values]) => values.map((value) => [fact, value] as const)))(
  'if "%s" in the office hours is %o, there is a one-line error message',
  (fact, value) => {
    const mistake = findInvalidOfficeFact(withHours({ [fact]: value })) ?? ''

    expect(mistake).toMatch(
      new RegExp(`^shared/business/hours\\.ts: "${fact}" in the office hours must be .*"\\w.*\\.$`),
    )
    expect(mistake).not.toContain('\n')
  },
)

test.each([{ opens: '18:00' }, { opens: '18:01' }, { opens: '22:00', closes: '06:00' }, { closes: '00:00' }])(
  'office hours with %o are invalid, because the office must close after it opens',
  (change) => {
    const { opens, closes } = { ...hours, ...change }

    expect(findInvalidOfficeFact(withHours(change))).toBe(
      `shared/business/hours.ts: "closes" in the office hours must be later than "opens" ("${opens}"), on the same day, but is "${closes}".`,
    )
  },
)

const wrongAmounts = [0, -1, 0.5, 24.5, Number.NaN, Number.POSITIVE_INFINITY, 1001, '24', undefined, null]
test.each(
  (['quoteWorkdays', 'emailReplyOfficeHours'] as const).flatMap((name) =>
    wrongAmounts.map((amount) => [name, amount] as const),
  ),
)('if the response time %s is %s, there is an error message', (name, amount) => {
  expect(findInvalidOfficeFact(withTimes({ [name]: amount }))).toMatch(
    new RegExp(
      `^shared/business/promises\\.ts: "${name}" in the response times must be a whole number from 1 to 1000, but is .*\\.$`,
    ),
  )
})

test.each([[[]], [['2028-02-29', '2026-12-25']]])('the holidays %o are fine', (closedOn) => {
  expect(findInvalidOfficeFact({ ...ours, closedOn })).toBeUndefined()
})

test.each([
  ...['2026-02-29', '2026-02-30', '2026-13-01', '2026-00-01', '2026-01-00', '0000-00-00', '12/25/2026'],
  ...['26-12-25', '2026-12-25T00:00Z', ' 2026-12-25', '2026-1-1', '', 20261225, null, new Date(0)],
])('the holiday %o gets an error message, because it is not a real date', (day) => {
  const closedOn = ['2026-12-25', '2026-01-01', day as string]

  expect(findInvalidOfficeFact({ ...ours, closedOn })).toBe(
    `shared/business/hours.ts: each day in "closedOn" must be a real date such as "2026-12-25", but is ${JSON.stringify(day)}.`,
  )
})

test('a holiday that is listed twice gets an error message', () => {
  expect(findInvalidOfficeFact({ ...ours, closedOn: ['2026-12-25', '2026-01-01', '2026-12-25'] })).toBe(
    'shared/business/hours.ts: "closedOn" lists "2026-12-25" more than once.',
  )
})

test.each(['2026-12-25', undefined, null, {}])('a holiday list of %o gets an error message', (closedOn) => {
  expect(findInvalidOfficeFact({ ...ours, closedOn: closedOn as never })).toMatch(
    /^shared\/business\/hours\.ts: "closedOn" must be a list of days such as \["2026-12-25"\], but is .*\.$/,
  )
})

test('the error message quotes the invalid value', () => {
  expect(findInvalidOfficeFact(withHours({ days: ['Mon', 'Tue'] }))).toBe(
    'shared/business/hours.ts: "days" in the office hours must be one or more of "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", without repeats, but is ["Mon","Tue"].',
  )
  expect(findInvalidOfficeFact(withTimes({ quoteWorkdays: Number.NaN }))).toMatch(/, but is NaN\.$/)
})
