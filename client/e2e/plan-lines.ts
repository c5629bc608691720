import type { Page } from '@playwright/test'
import { changePlan, planCost, planTerms } from '#brand/words/form.ts'
import type { plans } from '#facts/plans.ts'
import { formatMoney } from '#shared/money.ts'
import { costOfFirstMonths } from '#shared/numbers.ts'

type Plan = (typeof plans)[number]

/** The visible lines about the chosen plan. */
export const planLines = (page: Page) => page.locator('[data-plan]:visible')

/** What `planLines` must say: the plan's name and terms, then what its first months cost in total. */
export const planTexts = (plan: Plan) => [`${plan.name}${planTerms(plan)}${changePlan}`, costText(plan)]

export const costText = (plan: Plan) => `${planCost}${formatMoney(costOfFirstMonths(plan))}`
