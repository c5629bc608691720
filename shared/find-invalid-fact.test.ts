import { expect, test } from 'vitest'
import { exampleOffice } from './example-office.ts'
import { findInvalidFact } from './find-invalid-fact.ts'
import { formatMoney } from './money.ts'
import { ourFacts } from './our-facts.ts'

const { colors, promises, plans, portfolio, responseTimes } = ourFacts
// This address is in the example office's time zone.
const brand = { ...ourFacts.brand, city: 'Columbus', region: 'OH', country: 'US' }
const example = { ...ourFacts, brand, hours: { ...ourFacts.hours, ...exampleOffice.hours } }
const [plan] = plans
const [work] = portfolio
const question = { question: 'Do you work on weekends?', answer: 'No.' }

const zone = (timeZone: string) => ({ ...example.hours, timeZone })

test('our facts are valid', () => {
  expect(findInvalidFact(ourFacts)).toBeUndefined()
})

const british = {
  phone: '020 7946 0018',
  phoneLink: '+442079460018',
  country: 'GB',
  locale: 'en-GB',
  currency: 'GBP',
}
const fourPlans = [100, 200, 300, 400].map((setup, index) => ({
  ...plan,
  ...{ id: `plan-${index}`, setup, monthly: 50, budget: [setup, setup + 300] as const, popular: index === 2 },
}))
test.each([
  { brand: { ...brand, ...british }, hours: zone('Europe/London') },
  { brand: { ...brand, region: 'TN' }, hours: zone('America/Chicago') },
  { brand: { ...brand, region: 'AZ' }, hours: zone('America/Phoenix') },
  { brand: { ...brand, region: 'MI' }, hours: zone('America/Detroit') },
  { brand: { ...brand, region: 'Bavaria', country: 'DE' }, hours: zone('Europe/Berlin') },
  { brand: { ...brand, country: 'ZZ' } },
  { brand: { ...brand, phone: '+44 (0)20 7946 0018', phoneLink: '+442079460018' } },
  { promises: { ...promises, quote: 'the next workday' } },
  { promises: { ...promises, quote: '2 workdays' }, responseTimes: { ...responseTimes, quoteWorkdays: 2 } },
  { plans: fourPlans },
  { portfolio: [] },
  { questions: Array(4).fill(question) },
  { measured: undefined },
])('another agency can have other facts (%#)', (change) => {
  expect(findInvalidFact({ ...example, ...change })).toBeUndefined()
})

test.each<[sentence: string, change: object]>([
  ['hours.ts: "opens" in the office hours must be a time', { hours: { ...ourFacts.hours, opens: '8am' } }],
  ['brand.ts: brand.name must not be empty, but is " ".', { brand: { ...brand, name: ' ' } }],
  [
    'brand.ts: brand.email must be an email address, but is "hello".',
    { brand: { ...brand, email: 'hello' } },
  ],
  [
    'brand.ts: brand.currency must be a currency code, such as "USD", but is "POUND".',
    { brand: { ...brand, currency: 'POUND' } },
  ],
  [
    'brand.ts: brand.locale must be a language and country, such as "en-US", but is "en_GB".',
    { brand: { ...brand, locale: 'en_GB' } },
  ],
  ['brand.ts: brand.city is missing. Add it: it must be text.', { brand: { ...brand, city: undefined } }],
  [
    'brand.ts: brand.locale is missing. Add it: it must be a language and country, such as "en-US".',
    { brand: { ...brand, locale: undefined } },
  ],
  [
    'colors.ts: colors.text[1] must be a color in lowercase, such as "#c2410c", but is "#FFF".',
    { colors: { ...colors, text: ['#000000', '#FFF'] } },
  ],
  ['plans.ts: plans must not be empty, but is [].', { plans: [] }],
  [
    'plans.ts: plans[0].setup must be a whole amount, such as 200, but is "200".',
    { plans: [{ ...plan, setup: '200' }] },
  ],
  [
    'plans.ts: plans[0].monthly must be a whole amount, such as 49, but is 49.5.',
    { plans: [{ ...plan, monthly: 49.5 }] },
  ],
  [
    'plans.ts: plans[0].budget must be two whole amounts, such as [200, 500], but is [200].',
    { plans: [{ ...plan, budget: [200] }] },
  ],
  [
    'portfolio.ts: portfolio[0].tags must be a list, but is "SEO".',
    { portfolio: [{ ...work, tags: 'SEO' }] },
  ],
  [
    'questions.ts: questions[0].question must not be empty, but is "".',
    { questions: [{ ...question, question: '' }] },
  ],
  [
    'questions.ts: questions must not have more than 4 questions, but is [',
    { questions: Array(5).fill(question) },
  ],
  [
    'measured.ts: measured.lighthouse must be a score from 0 to 100, but is 101.',
    { measured: { ...ourFacts.measured, lighthouse: 101 } },
  ],
])('a wrong value gets the message: %s', (sentence, change) => {
  expect(findInvalidFact({ ...example, ...change } as never)).toContain(`shared/business/${sentence}`)
})

test.each<[sentence: string, change: object]>([
  [
    `brand.ts: brand.phoneLink must be the same number as brand.phone, "${brand.phone}", but is "+16145550143".`,
    { brand: { ...brand, phoneLink: '+16145550143' } },
  ],
  [
    'hours.ts: the office hours are in the time zone "America/New_York", but clocks in IL, US show a different time.',
    { brand: { ...brand, region: 'IL' } },
  ],
  [
    'hours.ts: the office hours are in the time zone "America/Denver", but clocks in AZ, US show a different time.',
    { brand: { ...brand, region: 'AZ' }, hours: zone('America/Denver') },
  ],
  [
    'hours.ts: the office hours are in the time zone "America/New_York", but clocks in England, GB show a different time.',
    { brand: { ...brand, ...british, region: 'England' } },
  ],
  [
    `promises.ts: promises.quote says "12 hours", but quoteWorkdays is ${responseTimes.quoteWorkdays}; write "${24 * responseTimes.quoteWorkdays} hours" or change one of them.`,
    { promises: { ...promises, quote: '12 hours' } },
  ],
  [
    `promises.ts: promises.emailReply says "99 hours", but emailReplyOfficeHours is ${responseTimes.emailReplyOfficeHours}.`,
    { promises: { ...promises, emailReply: '99 hours' } },
  ],
  [`plans.ts: the id "${plan.id}" is taken: each plan needs its own.`, { plans: [plan, plan] }],
  ['plans.ts: the id "custom" is taken: each plan needs its own.', { plans: [{ ...plan, id: 'custom' }] }],
  [
    'plans.ts: only one plan can be the popular one.',
    { plans: plans.map((one) => ({ ...one, popular: true })) },
  ],
  [
    `plans.ts: the budget of the plan "${plan.name}" must contain the cost of its setup and first six months, ${formatMoney(506)}, but is ${formatMoney(200)}-${formatMoney(500)}.`,
    { plans: [{ ...plan, setup: 200, monthly: 51, budget: [200, 500] }] },
  ],
])('a contradiction gets the message: %s', (sentence, change) => {
  expect(findInvalidFact({ ...example, ...change } as never)).toBe(`shared/business/${sentence}`)
})
