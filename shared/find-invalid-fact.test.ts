import { expect, test } from 'vitest'
import { hours, responseTimes } from './business.ts'
import { findInvalidFact } from './find-invalid-fact.ts'

const facts = { hours, responseTimes }
const withHours = (change: object) => ({ ...facts, hours: { ...hours, ...change } })
const withQuote = (change: object) => ({
  ...facts,
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
  expect(findInvalidFact(withHours(change))).toBeUndefined()
})

test.each([{ amount: 1 }, { amount: 1000 }, { unit: 'office hour' }, { unit: 'working day' }])(
  'a response time with %o is valid',
  (change) => {
    expect(findInvalidFact(withQuote(change))).toBeUndefined()
  },
)

const invalidTimes = ['8:00', '08:0', '0800', '24:00', '12:60', '08:00:00', '8am', '', ' 08:00', 8, undefined]
const invalidDays = [[], ['Mon'], ['monday'], ['Monday '], ['Monday', 'Teusday'], ['Monday', 'Monday'], [1]]
const invalid: Record<string, unknown[]> = {
  days: [...invalidDays, 'Monday', undefined],
  opens: invalidTimes,
  closes: invalidTimes,
  timeZone: ['America/NewYork', 'New York', '', ' ', undefined, null, 5],
}

test.each(Object.entries(invalid).flatMap(([fact, values]) => values.map((value) => [fact, value] as const)))(
  'invalid office hours (%s: %o) are described in one sentence',
  (fact, value) => {
    const message = findInvalidFact(withHours({ [fact]: value })) ?? ''

    expect(message).toMatch(
      new RegExp(`^shared/business\\.ts: "${fact}" of the office hours must be .*"\\w.*\\.$`),
    )
    expect(message).not.toContain('\n')
  },
)

test.each([{ opens: '18:00' }, { opens: '18:01' }, { opens: '22:00', closes: '06:00' }, { closes: '00:00' }])(
  'office hours with %o are invalid, because they do not close after they open',
  (change) => {
    const { opens, closes } = { ...hours, ...change }

    expect(findInvalidFact(withHours(change))).toBe(
      `shared/business.ts: "closes" of the office hours must be later than "opens" ("${opens}"), on the same day, but is "${closes}".`,
    )
  },
)

test.each(
  [0, -1, 0.5, 24.5, Number.NaN, Number.POSITIVE_INFINITY, 1001, '24', undefined, null].map((amount) => [
    amount,
  ]),
)('an amount of %s is invalid', (amount) => {
  expect(findInvalidFact(withQuote({ amount }))).toMatch(
    /^shared\/business\.ts: "amount" of the response time "quote" must be a whole number from 1 to 1000, but is .*\.$/,
  )
})

test.each(['minute', 'hours', 'Hour', 'office hours', 'week', 'day', '', null])(
  'the unit "%s" is invalid',
  (unit) => {
    expect(findInvalidFact(withQuote({ unit }))).toBe(
      `shared/business.ts: "unit" of the response time "quote" must be "hour", "office hour" or "working day", but is ${JSON.stringify(unit)}.`,
    )
  },
)

test('the message quotes the invalid value', () => {
  expect(findInvalidFact(withHours({ days: ['Mon', 'Tue'] }))).toBe(
    'shared/business.ts: "days" of the office hours must be one or more of "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday", each once, but is ["Mon","Tue"].',
  )
  expect(findInvalidFact(withQuote({ amount: Number.NaN }))).toMatch(/, but is NaN\.$/)
})
