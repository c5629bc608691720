import type { Question } from '#shared/facts.ts'

export const questions: readonly Question[] = [
  { question: 'Who owns the domain?', answer: 'You do, from the first day.' },
]
