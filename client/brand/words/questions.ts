import { plans } from '#facts/plans.ts'
import { promises } from '#facts/promises.ts'
import { questions as ownQuestions } from '#facts/questions.ts'
import type { Question } from '#shared/fact-checks/facts.ts'

const [smallestPlan] = plans

export const title = 'Common Questions'

export const questions: readonly Question[] = [
  {
    question: 'How long does it take?',
    answer: `Your site is done in ${promises.buildTime}, once we have your go-ahead, your text and your photos.`,
  },
  {
    question: 'Are we too small for you?',
    answer: `No. ${smallestPlan.name} (${smallestPlan.size}) is built for small businesses, and you can upgrade anytime.`,
  },
  {
    question: 'What if I want changes later?',
    answer: `Just ask. ${promises.support}, and software updates are free. If it goes beyond support, you get a price first.`,
  },
  {
    question: 'Do you guarantee results?',
    answer:
      'We guarantee uptime, but not a Google ranking; nobody honest can. Our SEO work comes with progress reports, so you see what improved and what did not.',
  },
  ...ownQuestions.filter(({ answer }) => answer !== ''),
]
