import { plans } from '#facts/plans.ts'
import { promises } from '#facts/promises.ts'
import { formatMoney } from '#shared/money.ts'

/** In the heading, `accent` has the accent color and starts a new line. */
export const beforeAccent = 'Small business websites, built '
export const accent = 'true'
export const afterAccent = ` in ${promises.buildTime}.`
/**
 * The accent's width in the display font, reserved until the font loads. layout.spec.ts prints the
 * width if this is wrong.
 */
export const accentWidth = '1.915em'

/** The lowest prices of all plans. */
export const lowestSetup = formatMoney(Math.min(...plans.map(({ setup }) => setup)))
export const lowestMonthly = formatMoney(Math.min(...plans.map(({ monthly }) => monthly)))

// Must be a single text node. With several, a font switch that changes the line breaks would count
// as a layout shift.
export const lead = `We design, host and maintain your site. From ${lowestSetup} setup and ${lowestMonthly} a month, with support from a real person.`
export const getQuote = 'Get Your Quote Now'
export const viewWork = 'View Our Work'
export const orCall = 'or call '

export const figures = [
  { figure: promises.buildTime, label: 'to build your site' },
  { figure: promises.quote, label: 'to your free quote' },
  { figure: promises.uptime, label: 'uptime, in every plan' },
]
