import { expect, test } from 'vitest'
import { hours, responseTimes } from './business.ts'
import { findBusinessMistake } from './find-business-mistake.ts'

const ours = { hours, responseTimes }
const withHours = (change: object) => ({ ...ours, hours: { ...hours, ...change } })
const withQuote = (change: object) => ({
  ...ours,
  responseTimes: { ...responseTimes, quote: { ...responseTimes.quote, ...change } },
})

test.each([
  {},
  { days: ['Sunday'] },
  { days: ['Wednesday', 'Monday'] },
  { opens: '00:00', closes: '23:59' },
  { timeZone: 'Europe/Berlin' },
  { timeZone: 'UTC' },
])('office hours with %o are valid', (change) => {
  expect(findBusinessMistake(withHours(change))).toBeUndefined()
})

test.each([{ amount: 1 }, { amount: 1000 }, { unit: 'office hour' }, { unit: 'working day' }])(
  'a response time with %o is valid',
  (change) => {
    expect(findBusinessMistake(withQuote(change))).toBeUndefined()
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
  'office hours with %s %o are a mistake, described in one sentence',
  (fact, value) => {
    const mistake = findBusinessMistake(withHours({ [fact]: value })) ?? ''

    expect(mistake).toMatch(
      new RegExp(`^shared/business\\.ts: "${fact}" of the office hours must be .*"\\w.*\\.$`),
    )
    expect(mistake).not.toContain('\n')
  },
)

test.each([{ opens: '18:00' }, { opens: '18:01' }, { opens: '22:00', closes: '06:00' }, { closes: '00:00' }])(
  'office hours with %o close before they open',
  (change) => {
    const { opens, closes } = { ...hours, ...change }

    expect(findBusinessMistake(withHours(change))).toBe(
      `shared/business.ts: "closes" of the office hours must be later than "opens" ("${opens}"), on the same day, but is "${closes}".`,
    )
  },
)

test.each(
  [0, -1, 0.5, 24.5, Number.NaN, Number.POSITIVE_INFINITY, 1001, '24', undefined, null].map((amount) => [
    amount,
  ]),
)('an amount of %s is a mistake', (amount) => {
  expect(findBusinessMistake(withQuote({ amount }))).toMatch(
    /^shared\/business\.ts: "amount" of the response time "quote" must be a whole number from 1 to 1000, but is .*\.$/,
  )
})

test.each(['minute', 'hours', 'Hour', 'office hours', 'week', 'day', '', null])(
  'the unit "%s" is a mistake',
  (unit) => {
    expect(findBusinessMistake(withQuote({ unit }))).toBe(
      `shared/business.ts: "unit" of the response time "quote" must be "hour", "office hour" or "working day", but is ${JSON.stringify(unit)}.`,
    )
  },
)

test('the message quotes the wrong value', () => {
  expect(findBusinessMistake(withHours({ days: ['Mon', 'Tue'] }))).toBe(
    'shared/business.ts: "days" of the office hours must be one or more of "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", each once, but is ["Mon","Tue"].',
  )
  expect(findBusinessMistake(withQuote({ amount: Number.NaN }))).toMatch(/, but is NaN\.$/)
})
