import { quoteBy } from '#brand/words/outcome.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { quoteDueAt } from '#shared/promise-clock.ts'

/**
 * When the quote is due, for example, "By Monday, March 2 at 10am EST". This file is loaded separately, because the
 * office's calendar is needed only after the form is sent.
 */
export const quoteDueInWords = (receivedAt: Date): string =>
  `${quoteBy}${officeTimeInWords(quoteDueAt(receivedAt))}`
