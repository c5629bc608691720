import { brand } from './business/brand.ts'
import { colors } from './business/colors.ts'
import { closedOn, hours } from './business/hours.ts'
import { measured } from './business/measured.ts'
import { plans } from './business/plans.ts'
import { portfolio } from './business/portfolio.ts'
import { promises, responseTimes } from './business/promises.ts'
import { questions } from './business/questions.ts'

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
