import { brand } from '#facts/brand.ts'
import type { Plan } from '#shared/fact-checks/facts.ts'
import { formatMoney, formatNumber } from '#shared/money.ts'

export const title = 'Get your free quote'
/**
 * The line above the optional fields. Screen readers also read `optional` with each of these
 * fields.
 */
export const optional = 'Optional'
export const whyOptional = ': helps us quote faster'
export const noBudget = 'Not sure yet'
export const messageHint = 'what you do, where, what you need'
export const messageCount = (length: number, maxLength: number) =>
  `${formatNumber(length)} of ${formatNumber(maxLength)} characters` +
  (length < maxLength ? '' : ': if you pasted more, the rest is missing')
/** The label of a field that only bots fill in. People see it only in text browsers. */
export const leaveEmpty = 'Please leave this empty'

/**
 * Shown above the fields if the visitor has chosen a plan. `changePlan` links to the field
 * "Budget".
 */
export const planTerms = ({ setup, monthly }: Pick<Plan, 'setup' | 'monthly'>) =>
  `: ${formatMoney(setup)} setup, ${formatMoney(monthly)} a month. `
export const changePlan = 'Change'
/** Shown next to the field "Budget". */
export const planCost = 'Setup and the first six months: '

export const send = 'Get My Free Quote'
export const sending = 'Sending...'
export const privacy =
  'We only use this to answer you and to recognize spam. We also note which website or ad brought you here, without cookies.'
/** The text of the link to the privacy page. */
export const privacyLink = 'How we handle your data'

/** Shown if several fields are invalid. */
export const invalidFields = (count: number) => `${count} fields need another look.`
export const nothingSent = ' Nothing has been sent yet.'

export const copyAddress = 'Copy address'
export const addressCopied = `Copied: ${brand.email}`
export const addressNotCopied = `Please copy it by hand: ${brand.email}`

export const restored = 'Your entries are back where you left them.'
export const offline = 'You are offline. What you typed is kept.'
/**
 * For screen readers: the name of the area with notifications, and of the button that closes one.
 */
export const notices = 'Notices'
export const close = 'Close'
