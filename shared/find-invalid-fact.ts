import * as z from 'zod/mini'
import { brand } from '#facts/brand.ts'
import { colors } from '#facts/colors.ts'
import { closedOn, hours } from '#facts/hours.ts'
import { measured } from '#facts/measured.ts'
import { plans } from '#facts/plans.ts'
import { portfolio } from '#facts/portfolio.ts'
import { promises, responseTimes } from '#facts/promises.ts'
import { questions } from '#facts/questions.ts'
import { factsSchema } from './fact-checks/facts.ts'

/** All facts about the agency. */
export const ourFacts = {
  brand,
  colors,
  hours,
  closedOn,
  promises,
  responseTimes,
  plans,
  portfolio,
  questions,
  measured,
}

// Other facts are in the file of their name.
const files: Record<string, string> = { closedOn: 'hours', responseTimes: 'promises' }
// A longer value would hide the sentence.
const MAX_SHOWN = 100

/**
 * Describes business facts that are missing, have the wrong type, or contradict others: one line
 * each, with the file.
 */
export function findInvalidFact(facts: object): string | undefined {
  const issues = factsSchema.safeParse(facts).error?.issues ?? []
  return issues.map((issue) => describe(issue, facts)).join('\n') || undefined
}

function describe({ path, message }: z.core.$ZodIssue, facts: object): string {
  const name = String(path[0])
  const found = path.reduce<unknown>((value, key) => Object(value)[key], facts)
  // NaN would become null.
  const shown = typeof found === 'number' ? String(found) : JSON.stringify(found)
  const sentence =
    // After an upgrade, the new version may need a fact that the agency's own file doesn't have
    // yet.
    found === undefined
      ? `is missing. Add it: it ${message}`
      : `${message}${shown.length > MAX_SHOWN ? '' : `, but is ${shown}`}`
  return `shared/business/${files[name] ?? name}.ts: ${z.core.toDotPath(path)} ${sentence}.`
}
