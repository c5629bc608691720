import type { PlanId } from '../../facts/plans.ts'
import type { includedInAllPlans } from '../../facts/promises.ts'

export const title = 'Four sizes of shop'
export const intro = 'One payment up front, then one each month.'

export const descriptions: Record<PlanId, string> = {
  stall: 'A single page with an order form.',
  'corner-shop': 'A small shop with a till.',
  'high-street': 'A full shop that knows its stock.',
  'market-hall': 'Many sellers under one roof.',
}
export const popular = 'Most chosen'
export const setup = 'To begin'
export const monthly = 'Each month'
export const getStarted = 'Take this one'

export const includedTitle = 'With every size'
export const meaningsTitle = 'In plain words'
export const meanings: Record<(typeof includedInAllPlans)[number]['id'], string> = {
  available: 'Offline for less than four hours a month.',
  copies: 'If something breaks, we go back to last night.',
  certificate: 'Nobody on the way can read what your customers type.',
}

export const beforeContact = 'None of these? '
export const contact = 'Write to us'
export const afterContact = ' and we’ll work it out.'
