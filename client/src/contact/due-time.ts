import { quoteBy } from '#brand/words/outcome.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { quoteDueAt } from '#shared/promise-clock.ts'

/**
 * "By Monday, March 2 at 10:00 AM EST", as in the receipt. This file is loaded separately, because only a sent form needs
 * the calendar.
 */
export const quoteDueInWords = (receivedAt: Date): string =>
  `${quoteBy}${officeTimeInWords(quoteDueAt(receivedAt))}`
