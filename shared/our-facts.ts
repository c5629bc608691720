import { brand } from './business/brand.ts'
import { closedOn, hours } from './business/hours.ts'
import { plans } from './business/plans.ts'
import { portfolio } from './business/portfolio.ts'
import { promises, responseTimes } from './business/promises.ts'

export const ourFacts = { brand, hours, closedOn, promises, responseTimes, plans, portfolio }
