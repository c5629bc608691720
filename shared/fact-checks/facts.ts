import * as z from 'zod/mini'
import { digitsOf, fold, withoutZeros } from '../text/fold.ts'
import { type ResponseTimes, weekDays } from '../time/office-hours.ts'
import { isDay } from '../time/time-zone.ts'
import { BUDGET_MONTHS, costOfFirstMonths, isCurrency, isLocale } from './numbers.ts'

// Each rule completes a sentence, such as "brand.email must be an email address". See
// find-invalid-fact.ts.

const text = z.string('must be text').check(z.regex(/\S/, 'must not be empty'))
/** An agency's own file may not have it yet. */
const optionalText = z.optional(z.string('must be text'))
const matching = (pattern: RegExp, rule: string) =>
  z.string(rule).check(z.regex(pattern, { error: rule, abort: true }))
const known = (isKnown: (value: string) => boolean, rule: string) =>
  z.string(rule).check(z.refine(isKnown, { error: rule, abort: true }))
const amount = (rule: string, from = 0, to = Number.MAX_SAFE_INTEGER) =>
  z
    .int(rule)
    .check(z.minimum(from, { error: rule, abort: true }), z.maximum(to, { error: rule, abort: true }))
const list = <Item extends z.ZodMiniType>(item: Item) => z.readonly(z.array(item, 'must be a list'))
const isUnique = (values: readonly unknown[]) => new Set(values).size === values.length

const brandFields = z.object({
  name: text,
  legalName: text,
  slogan: text,
  offer: text,
  audience: text,
  email: z.email({ pattern: z.regexes.html5Email, error: 'must be an email address' }),
  phone: matching(/\d/, 'must be a phone number, such as "(614) 555-0142"'),
  phoneLink: matching(/^\+\d{5,15}$/, 'must be a phone number with its country code, such as "+16145550142"'),
  whoAnswers: optionalText,
  city: text,
  region: text,
  country: matching(/^[A-Z]{2}$/, 'must be a country code, such as "US"'),
  locale: known(isLocale, 'must be a language and country, such as "en-US"'),
  currency: known(isCurrency, 'must be a currency code, such as "USD"'),
})

const brandSchema = brandFields.check(
  z.refine(({ phone, phoneLink }) => phoneLink.endsWith(withoutZeros(digitsOf(fold(phone)))), {
    path: ['phoneLink'],
    error: ({ input }) => `must be the same number as brand.phone, "${(input as Brand).phone}"`,
  }),
)

const daysRule = 'must be one or more days, such as ["Monday", "Tuesday"], each once'
const time = matching(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time from "00:00" to "23:59", such as "08:00"')

const hoursSchema = z
  .object({
    days: list(z.enum(weekDays, 'must be a day, such as "Monday"')).check(
      z.refine((days) => days.length > 0 && isUnique(days), daysRule),
    ),
    opens: time,
    closes: time,
    timeZone: known(isTimeZone, 'must be an IANA name, such as "America/New_York"'),
    zone: text,
    text,
    emergency: text,
    emergencyHow: optionalText,
  })
  .check(
    z.refine(({ opens, closes }) => opens < closes, {
      path: ['closes'],
      error: 'must be later than hours.opens, on the same day',
    }),
  )

const closedOnSchema = list(known(isDay, 'must be a real day, such as "2026-12-25"')).check(
  z.refine(isUnique, 'must have each day only once'),
)

const promised = amount('must be a whole number from 1 to 1000', 1, 1000)
const responseTimesSchema = z.object({ emailReplyOfficeHours: promised, quoteWorkdays: promised })

const range = 'must be two whole amounts, such as [200, 500]'

const planFields = z.object({
  id: matching(
    /^(?!custom$)[a-z][a-z0-9-]{0,19}$/,
    'must be a short lowercase word, such as "starter", but not "custom"',
  ),
  name: text,
  setup: amount('must be a whole amount, such as 200'),
  monthly: amount('must be a whole amount, such as 49'),
  budget: z.readonly(z.tuple([amount(range), amount(range)], range)),
  popular: z.boolean('must be true or false'),
  size: text,
  hosting: text,
  features: list(text),
})

const planSchema = planFields.check(
  z.refine((plan) => plan.budget[0] <= costOfFirstMonths(plan) && costOfFirstMonths(plan) <= plan.budget[1], {
    path: ['budget'],
    error: ({ input }) =>
      `must contain ${costOfFirstMonths(input as Plan)}, the cost of setup and the first ${BUDGET_MONTHS} months`,
  }),
)

const plansSchema = list(planSchema).check(
  z.minLength(1, 'must not be empty'),
  z.refine((plans) => isUnique(plans.map(({ id }) => id)), 'must each have an id of their own'),
)

const promisesSchema = z.object({
  buildTime: text,
  quote: text,
  emailReply: text,
  response: text,
  support: text,
  seo: text,
  uptime: text,
})

const workSchema = z.object({
  id: text,
  title: text,
  category: text,
  description: text,
  results: list(z.object({ figure: text, label: text })),
  tags: list(text),
  url: text,
  image: text,
})

const MAX_QUESTIONS = 6

const questionsSchema = z
  .array(z.object({ question: text, answer: z.string('must be text') }), 'must be a list')
  .check(z.maxLength(MAX_QUESTIONS, `must not have more than ${MAX_QUESTIONS} questions`))

const score = 'must be a score from 0 to 100'

const measuredSchema = z.optional(
  z.object({
    lighthouse: z.number(score).check(z.minimum(0, score), z.maximum(100, score)),
    kilobytes: amount('must be a whole number of kilobytes, such as 200'),
    milliseconds: amount('must be a whole number of milliseconds, such as 700'),
  }),
)

const color = matching(/^#[0-9a-f]{6}$/, 'must be a color in lowercase, such as "#c2410c"')
const themes = z.readonly(z.tuple([color, color], 'must be two colors: one for each theme, light and dark'))

const colorsSchema = z.object({
  background: themes,
  panel: themes,
  well: themes,
  text: themes,
  muted: themes,
  hairline: themes,
  control: themes,
  accent: themes,
  action: themes,
  'action-hover': themes,
  'on-action': themes,
  line: themes,
  grid: themes,
  error: themes,
  success: themes,
  band: themes,
  footer: themes,
})

/** A promise may have no number ("the next workday"). If it has one, it must be one of these. */
const says = (promise: string, ...numbers: number[]) =>
  numbers.includes(Number(/\d+/.exec(promise)?.[0] ?? numbers[0]))

const timesOf = (facts: unknown) => (facts as { responseTimes: ResponseTimes }).responseTimes

/**
 * All facts about the agency. Types are checked here, too, because Node.js and the build ignore
 * TypeScript's types.
 */
export const factsSchema = z
  .object({
    brand: brandSchema,
    colors: colorsSchema,
    hours: hoursSchema,
    closedOn: closedOnSchema,
    promises: promisesSchema,
    responseTimes: responseTimesSchema,
    plans: plansSchema,
    portfolio: list(workSchema),
    questions: questionsSchema,
    measured: measuredSchema,
  })
  .check(
    // The inbox and the emails use the numbers.
    z.refine(
      ({ promises: { quote }, responseTimes: { quoteWorkdays: days } }) => says(quote, days, 24 * days),
      {
        path: ['promises', 'quote'],
        error: ({ input }) =>
          `must say ${24 * timesOf(input).quoteWorkdays} hours, like responseTimes.quoteWorkdays`,
      },
    ),
    z.refine(
      ({ promises, responseTimes }) => says(promises.emailReply, responseTimes.emailReplyOfficeHours),
      {
        path: ['promises', 'emailReply'],
        error: ({ input }) =>
          `must say ${timesOf(input).emailReplyOfficeHours} hours, like responseTimes.emailReplyOfficeHours`,
      },
    ),
  )

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }) !== undefined
  } catch {
    return false
  }
}

export type Brand = z.infer<typeof brandSchema>
export type Colors = z.infer<typeof colorsSchema>
export type Plan = z.infer<typeof planFields>
export type Promises = z.infer<typeof promisesSchema>
export type Work = z.infer<typeof workSchema>
export type Question = z.infer<typeof questionsSchema>[number]
export type Measured = NonNullable<z.infer<typeof measuredSchema>>
