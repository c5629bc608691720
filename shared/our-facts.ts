import { brand } from '#facts/brand.ts'
import { colors } from '#facts/colors.ts'
import { closedOn, hours } from '#facts/hours.ts'
import { measured } from '#facts/measured.ts'
import { plans } from '#facts/plans.ts'
import { portfolio } from '#facts/portfolio.ts'
import { promises, responseTimes } from '#facts/promises.ts'
import { questions } from '#facts/questions.ts'

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
