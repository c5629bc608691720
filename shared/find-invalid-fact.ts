import * as z from 'zod/mini'
import {
  type Brand,
  brandSchema,
  type Colors,
  colorsSchema,
  type Measured,
  measuredSchema,
  type Plan,
  type Promises,
  planSchema,
  promisesSchema,
  type Question,
  questionsSchema,
  type Work,
  workSchema,
} from './facts.ts'
import { findInvalidOfficeFact } from './find-invalid-office-fact.ts'
import { digitsOf, fold, withoutZeros } from './fold.ts'
import { formatMoney } from './money.ts'
import type { OfficeFacts } from './office-hours.ts'
import { costOfFirstMonths } from './plan-cost.ts'
import { isAtAddress } from './zones-of-address.ts'

type Facts = OfficeFacts & {
  brand: Brand
  colors: Colors
  promises: Promises
  plans: readonly Plan[]
  portfolio: readonly Work[]
  questions: readonly Question[]
  measured: Measured | undefined
}

const schemas = {
  brand: brandSchema,
  colors: colorsSchema,
  promises: promisesSchema,
  plans: z.array(planSchema).check(z.minLength(1, 'must not be empty')),
  portfolio: z.array(workSchema),
  questions: questionsSchema,
  measured: measuredSchema,
} as const

/**
 * Describes the first business fact that has the wrong type, is invalid, or contradicts another. Types are checked here,
 * too, because Node.js and the build ignore TypeScript's types.
 */
export const findInvalidFact = (facts: Facts): string | undefined =>
  findInvalidOfficeFact(facts) ?? findMalformed(facts) ?? findContradiction(facts)

function findMalformed(facts: Facts): string | undefined {
  for (const [name, schema] of Object.entries(schemas)) {
    const issue = schema.safeParse(facts[name as keyof typeof schemas]).error?.issues[0]
    if (issue) {
      const place = z.core.toDotPath([name, ...issue.path])
      const found = issue.path.reduce<unknown>(
        (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
        facts[name as keyof typeof schemas],
      )
      // After an upgrade, the new version may need a fact that the agency's own file doesn't have yet.
      return found === undefined
        ? describe(name, `${place} is missing. Add it: it ${issue.message}`)
        : describe(name, `${place} ${issue.message}, but is ${JSON.stringify(found)}`)
    }
  }
  return undefined
}

const findContradiction = ({ brand, hours, promises, responseTimes, plans }: Facts): string | undefined =>
  findWrongPhone(brand) ??
  findWrongZone(brand, hours) ??
  findWrongPromise(promises, responseTimes) ??
  findWrongPlan(plans)

function findWrongPhone({ phone, phoneLink }: Brand): string | undefined {
  return phoneLink.endsWith(withoutZeros(digitsOf(fold(phone))))
    ? undefined
    : describe(
        'brand',
        `brand.phoneLink must be the same number as brand.phone, "${phone}", but is "${phoneLink}"`,
      )
}

function findWrongZone(brand: Brand, { timeZone }: OfficeFacts['hours']): string | undefined {
  return isAtAddress(timeZone, brand)
    ? undefined
    : describe(
        'hours',
        `the office hours are in the time zone "${timeZone}", but clocks in ${brand.region}, ${brand.country} show a different time`,
      )
}

/**
 * A promise may have no number ("the next workday"). If it has one, it must match `responseTimes`, which the inbox and the
 * emails use.
 */
function findWrongPromise(
  { quote, emailReply }: Promises,
  { quoteWorkdays, emailReplyOfficeHours }: OfficeFacts['responseTimes'],
): string | undefined {
  const numberIn = (promise: string) => /\d+/.exec(promise)?.[0]
  const matches = (promise: string, numbers: number[]) =>
    numberIn(promise) === undefined || numbers.includes(Number(numberIn(promise)))
  if (!matches(quote, [24 * quoteWorkdays, quoteWorkdays]))
    return describe(
      'promises',
      `promises.quote says "${quote}", but quoteWorkdays is ${quoteWorkdays}; write "${24 * quoteWorkdays} hours" or change one of them`,
    )
  return matches(emailReply, [emailReplyOfficeHours])
    ? undefined
    : describe(
        'promises',
        `promises.emailReply says "${emailReply}", but emailReplyOfficeHours is ${emailReplyOfficeHours}`,
      )
}

function findWrongPlan(plans: readonly Plan[]): string | undefined {
  const ids = plans.map(({ id }) => id)
  const twice = ids.find((id, index) => id === 'custom' || ids.indexOf(id) < index)
  if (twice) return describe('plans', `the id "${twice}" is taken: each plan needs its own`)
  if (plans.filter(({ popular }) => popular).length > 1)
    return describe('plans', 'only one plan can be the popular one')
  for (const plan of plans) {
    const { name, budget } = plan
    const [from, to] = budget
    const cost = costOfFirstMonths(plan)
    if (cost < from || cost > to)
      return describe(
        'plans',
        `the budget of the plan "${name}" must contain the cost of its setup and first six months, ${formatMoney(cost)}, but is ${formatMoney(from)}-${formatMoney(to)}`,
      )
  }
  return undefined
}

const describe = (file: string, mistake: string) => `shared/business/${file}.ts: ${mistake}.`
