import type { Question } from '../facts.ts'

/**
 * Up to four questions that only you can answer, shown below the page's own questions. For example: who owns the domain,
 * what the months after the included hosting cost, whether you work on weekends, what you guarantee.
 */
export const questions: readonly Question[] = []
