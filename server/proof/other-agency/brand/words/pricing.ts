import type { includedInAllPlans, PlanId } from '../../facts/plans.ts'

export const title = 'Four sizes of shop'
export const intro = 'One sum at the start, one each month.'

export const descriptions: Record<PlanId, string> = {
  stall: 'A single page with an order form.',
  'corner-shop': 'A small shop with a till.',
  'high-street': 'A full shop that knows its stock.',
  'market-hall': 'Many sellers under one roof.',
}
export const popular = 'Chosen most'
export const setup = 'To begin'
export const monthly = 'Each month'
export const getStarted = 'Take this one'

export const includedTitle = 'In each of them'
export const meaningsTitle = 'In plain words'
export const meanings: Record<(typeof includedInAllPlans)[number]['id'], string> = {
  available: 'Shut for less than four hours in a month.',
  copies: 'Last night is never lost.',
  certificate: 'Card numbers never pass through our hands.',
}

export const beforeContact = 'None of these? '
export const contact = 'Write to us'
export const afterContact = ' and we work it out.'
