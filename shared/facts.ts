import * as z from 'zod/mini'
import { isCurrency, isLocale } from './find-number-pattern.ts'

const text = z.string('must be text').check(z.regex(/\S/, 'must not be empty'))
const matching = (pattern: RegExp, rule: string) => z.string(rule).check(z.regex(pattern, rule))
const known = (isKnown: (value: string) => boolean, rule: string) =>
  z.string(rule).check(z.refine(isKnown, rule))
const amount = (rule: string) =>
  z.number(rule).check(z.refine((value) => Number.isInteger(value) && value >= 0, rule))
const list = <Item extends z.ZodMiniType>(item: Item) => z.readonly(z.array(item, 'must be a list'))
const id = matching(/^[a-z][a-z0-9-]{0,19}$/, 'must be a short lowercase word, such as "starter"')

export const brandSchema = z.object({
  name: text,
  legalName: text,
  slogan: text,
  offer: text,
  audience: text,
  email: z.email({ pattern: z.regexes.html5Email, error: 'must be an email address' }),
  phone: matching(/\d/, 'must be a phone number, such as "(614) 555-0142"'),
  phoneLink: matching(/^\+\d{5,15}$/, 'must be a phone number with its country code, such as "+16145550142"'),
  city: text,
  region: text,
  country: matching(/^[A-Z]{2}$/, 'must be a country code, such as "US"'),
  locale: known(isLocale, 'must be a language and country, such as "en-US"'),
  currency: known(isCurrency, 'must be a currency code, such as "USD"'),
})

const range = 'must be two whole amounts, such as [200, 500]'

export const planSchema = z.object({
  id,
  name: text,
  setup: amount('must be a whole amount, such as 200'),
  monthly: amount('must be a whole amount, such as 49'),
  budget: z.readonly(z.tuple([amount(range), amount(range)], range)),
  popular: z.boolean('must be true or false'),
  size: text,
  hosting: text,
  features: list(text),
})

export const promisesSchema = z.object({
  buildTime: text,
  quote: text,
  emailReply: text,
  response: text,
  support: text,
  seo: text,
  uptime: text,
})

export const workSchema = z.object({
  id: text,
  title: text,
  category: text,
  description: text,
  results: list(z.object({ figure: text, label: text })),
  tags: list(text),
  url: text,
  image: text,
})

const MAX_QUESTIONS = 4

export const questionsSchema = z
  .array(z.object({ question: text, answer: z.string('must be text') }), 'must be a list')
  .check(z.maxLength(MAX_QUESTIONS, `must not have more than ${MAX_QUESTIONS} questions`))

const score = 'must be a score from 0 to 100'

export const measuredSchema = z.optional(
  z.object({
    lighthouse: z.number(score).check(z.minimum(0, score), z.maximum(100, score)),
    kilobytes: amount('must be a whole number of kilobytes, such as 200'),
    milliseconds: amount('must be a whole number of milliseconds, such as 700'),
  }),
)

const color = matching(/^#[0-9a-f]{6}$/, 'must be a color in lowercase, such as "#c2410c"')
const themes = z.readonly(z.tuple([color, color], 'must be two colors: one for each theme, light and dark'))

export const colorsSchema = z.object({
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

export type Brand = z.infer<typeof brandSchema>
export type Colors = z.infer<typeof colorsSchema>
export type Plan = z.infer<typeof planSchema>
export type Promises = z.infer<typeof promisesSchema>
export type Work = z.infer<typeof workSchema>
export type Question = z.infer<typeof questionsSchema>[number]
export type Measured = NonNullable<z.infer<typeof measuredSchema>>
