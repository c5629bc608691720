import { formatMoney } from '#shared/money.ts'
import { hours } from '../../facts/hours.ts'
import { plans } from '../../facts/plans.ts'
import { promises } from '../../facts/promises.ts'

export const beforeAccent = 'Your shop on the web, open '
export const accent = 'early'
export const afterAccent = `, in ${promises.buildTime}.`
export const accentWidth = '2.325em'

export const lowestSetup = formatMoney(Math.min(...plans.map(({ setup }) => setup)))
export const lowestMonthly = formatMoney(Math.min(...plans.map(({ monthly }) => monthly)))

export const lead = `We build it, host it and keep it tidy: ${lowestSetup} to begin, ${lowestMonthly} monthly.`
export const getQuote = 'Ask for your price'
export const viewWork = 'Visit our shops'
export const orCall = 'or ring '
export const officeHours = hours.text

export const figures = [
  { figure: promises.buildTime, label: 'until it opens' },
  { figure: promises.quote, label: 'until you know the price' },
  { figure: promises.uptime, label: 'of the time open' },
]
