import type { Plan } from '#shared/facts.ts'
import { formatMoney, formatNumber } from '#shared/money.ts'
import { brand } from '../../facts/brand.ts'

export const title = 'Ask for a price'
export const optional = 'Voluntary'
export const whyOptional = ': saves a question later'
export const noBudget = 'No idea so far'
export const messageHint = 'what you sell, and to whom'
export const messageCount = (length: number, maxLength: number) =>
  `${formatNumber(length)} out of ${formatNumber(maxLength)} letters`
export const leaveEmpty = 'Leave this blank, please'

export const planTerms = ({ setup, monthly }: Pick<Plan, 'setup' | 'monthly'>) =>
  ` costs ${formatMoney(setup)}, then ${formatMoney(monthly)} monthly. `
export const changePlan = 'Another plan'
export const planCost = 'Half a year, setup included: '

export const send = 'Ask now'
export const sending = 'On its way...'
export const privacy = 'Your details stay with us, for our reply and our spam filter.'
export const privacyLink = 'What happens to your data'

export const invalidFields = (count: number) => `Please look at ${count} entries again.`
export const nothingSent = ' We have received nothing so far.'

export const copyAddress = 'Copy the address'
export const addressCopied = `On your clipboard: ${brand.email}`
export const addressNotCopied = `Copying failed. The address: ${brand.email}`

export const restored = 'We kept your entries.'
export const offline = 'There is no connection. Your entries stay.'
export const notices = 'News'
export const outcome = 'Result'

export const purpose = 'Ask for the price of a web shop. A person replies by email.'
export const hints = {
  website: 'The current shop, if any',
  budget: 'Blank if open',
  message: 'What the shop sells',
}
