import { expect, test } from 'vitest'
import { exampleOffice } from '../server/proof/testing/example-office.ts'
import { findInvalidFact, ourFacts } from './find-invalid-fact.ts'

const { colors, hours, promises, plans, responseTimes } = ourFacts
const { brand } = ourFacts
const office = { ...hours, ...exampleOffice.hours }
const example = { ...ourFacts, hours: office, closedOn: exampleOffice.closedOn }
const [plan] = plans
const question = { question: 'Do you work on weekends?', answer: 'No.' }

test('our facts are valid', () => {
  expect(findInvalidFact(ourFacts)).toBeUndefined()
})

test.each<[sentence: string, change: object]>([
  [
    'brand.ts: brand.email must be an email address, but is "hello".',
    { brand: { ...brand, email: 'hello' } },
  ],
  [
    'brand.ts: brand.locale must be a language and country, such as "en-US", but is "en_GB".',
    { brand: { ...brand, locale: 'en_GB' } },
  ],
  ['brand.ts: brand.city is missing. Add it: it must be text.', { brand: { ...brand, city: undefined } }],
  [
    'colors.ts: colors.text[1] must be a color in lowercase, such as "#c2410c", but is "#FFF".',
    { colors: { ...colors, text: ['#000000', '#FFF'] } },
  ],
  [
    'plans.ts: plans[0].setup must be a whole amount, such as 200, but is "200".',
    { plans: [{ ...plan, setup: '200' }] },
  ],
  [
    'plans.ts: plans[0].budget must be two whole amounts, such as [200, 500], but is [200].',
    { plans: [{ ...plan, budget: [200] }] },
  ],
  ['questions.ts: questions must not have more than 6 questions.', { questions: Array(7).fill(question) }],
  [
    'measured.ts: measured.lighthouse must be a score from 0 to 100, but is 101.',
    { measured: { ...ourFacts.measured, lighthouse: 101 } },
  ],
  [
    'measured.ts: measured.lighthouse must be a score from 0',
    { measured: { ...ourFacts.measured, lighthouse: -1 } },
  ],
  ['brand.ts: brand.country must be a country code', { brand: { ...brand, country: 'USA' } }],
  [
    'brand.ts: brand.phoneLink must be a phone number with',
    { brand: { ...brand, phoneLink: '16145550142' } },
  ],
  ['plans.ts: plans[0].monthly must be a whole amount', { plans: [{ ...plan, monthly: -1 }] }],
  ['hours.ts: hours.closes must be a time', { hours: { ...office, closes: '24:00' } }],
  [
    'promises.ts: responseTimes.emailReplyOfficeHours must be a whole number from 1',
    { responseTimes: { ...responseTimes, emailReplyOfficeHours: 0 } },
  ],
  ['brand.ts: brand.currency must be a currency code', { brand: { ...brand, currency: 'DOL' } }],
  ['brand.ts: brand.slogan must not be empty', { brand: { ...brand, slogan: ' ' } }],
  ['hours.ts: hours.days must be one or more days', { hours: { ...office, days: [] } }],
  ['hours.ts: hours.days must be one or more days', { hours: { ...office, days: ['Monday', 'Monday'] } }],
  ['hours.ts: hours.closes must be later', { hours: { ...office, opens: '09:00', closes: '09:00' } }],
  ['hours.ts: hours.timeZone must be an IANA name', { hours: { ...office, timeZone: 'Ohio' } }],
  ['hours.ts: closedOn[0] must be a real day', { closedOn: ['2026-02-30'] }],
  ['hours.ts: closedOn must have each day only once', { closedOn: ['2026-12-25', '2026-12-25'] }],
  [
    'promises.ts: responseTimes.quoteWorkdays must be a whole number from 1 to 1000, but is NaN.',
    { responseTimes: { ...responseTimes, quoteWorkdays: Number.NaN } },
  ],
  ['plans.ts: plans must not be empty', { plans: [] }],
  ['plans.ts: plans must each have an id', { plans: [plan, plan] }],
  // Contradictions.
  [
    `brand.ts: brand.phoneLink must be the same number as brand.phone, "${brand.phone}", but is "+16145550143".`,
    { brand: { ...brand, phoneLink: '+16145550143' } },
  ],
  [
    'promises.ts: promises.quote must say 48 hours, like responseTimes.quoteWorkdays, but is "12 hours".',
    { promises: { ...promises, quote: '12 hours' }, responseTimes: { ...responseTimes, quoteWorkdays: 2 } },
  ],
  [
    `promises.ts: promises.emailReply must say ${responseTimes.emailReplyOfficeHours} hours, like responseTimes.emailReplyOfficeHours, but is "99 hours".`,
    { promises: { ...promises, emailReply: '99 hours' } },
  ],
  [
    'plans.ts: plans[0].id must be a short lowercase word, such as "starter", but not "custom", but is "custom".',
    { plans: [{ ...plan, id: 'custom' }] },
  ],
  [
    'plans.ts: plans[0].budget must contain 506, the cost of setup and the first 6 months, but is [200,500].',
    { plans: [{ ...plan, setup: 200, monthly: 51, budget: [200, 500] }] },
  ],
  [
    'plans.ts: plans[0].budget must contain 600',
    { plans: [{ ...plan, setup: 300, monthly: 50, budget: [601, 900] }] },
  ],
])('a wrong value gets the message: %s', (sentence, change) => {
  expect(findInvalidFact({ ...example, ...change } as never)).toContain(`shared/business/${sentence}`)
})

test('a phone number may begin with a zero that its link leaves out', () => {
  const german = { ...brand, phone: '(030) 901820', phoneLink: '+4930901820' }
  expect(findInvalidFact({ ...example, brand: german } as never)).toBeUndefined()
})

test('each wrong value has a line, and a quote may be promised in days or in hours', () => {
  const wrong = { ...example, brand: { ...brand, city: '', region: '' } }
  expect(findInvalidFact(wrong as never)?.split('\n')).toHaveLength(2)

  const quote = `${responseTimes.quoteWorkdays} workday`
  expect(findInvalidFact({ ...example, promises: { ...promises, quote } } as never)).toBeUndefined()
})
