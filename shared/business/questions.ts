import type { Question } from '../fact-checks/facts.ts'

/**
 * Up to six questions that only you can answer, shown below the page's own questions. The page
 * leaves out a question as long as its answer is empty; `doctor` reminds you of it.
 */
export const questions: readonly Question[] = [
  { question: 'Which plans include SEO?', answer: '' },
  { question: 'Who writes the text?', answer: '' },
  { question: 'What do I pay once the included hosting ends?', answer: '' },
  { question: 'What happens if I leave?', answer: '' },
  { question: 'Who owns the domain and the site?', answer: '' },
]
