import { plans } from '#shared/business/plans.ts'
import { promises } from '#shared/business/promises.ts'

const [smallestPlan] = plans

export const title = 'Common Questions'

export const questions = [
  {
    question: 'How long does it take?',
    answer: `Your site is done in ${promises.buildTime}. You get the quote within ${promises.quote}; then all we need is your text, your photos and a yes.`,
  },
  {
    question: 'Are we too small for you?',
    answer: `No. The plans are made for small businesses: ${smallestPlan.name} is a ${smallestPlan.size}, and you can move up as you grow.`,
  },
  {
    question: 'What if I want changes later?',
    answer: `Ask. ${promises.support}, and software updates are free. If a change goes beyond support, you get a price before we start.`,
  },
  {
    question: 'Do you guarantee results?',
    answer: `Not a place on Google: nobody honest can. We do guarantee ${promises.uptime} uptime, and our SEO work comes with progress reports, so you see what improved and what did not.`,
  },
] as const
