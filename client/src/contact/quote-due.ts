import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { quoteDueAt } from '#shared/promise-clock.ts'

/** When the quote for a request is due: "Monday, March 2 at 10am EST". */
export const quoteDueInWords = (receivedAt: Date): string => officeTimeInWords(quoteDueAt(receivedAt))
