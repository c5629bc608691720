import type { Question } from '#shared/facts.ts'
import { promises } from '../../facts/promises.ts'
import { questions as ownQuestions } from '../../facts/questions.ts'

export const title = 'What people ask'

export const questions: readonly Question[] = [
  { question: 'When can I open?', answer: `In ${promises.buildTime}.` },
  ...ownQuestions.filter(({ answer }) => answer !== ''),
]
