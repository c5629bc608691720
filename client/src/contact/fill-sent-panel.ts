import { quoteWithin } from '#brand/words/outcome.ts'
import { quoteDueId, sentReferenceId } from '#shared/pages.ts'

type DueTime = typeof import('./due-time.ts')
let dueTime: DueTime | undefined

/** Loads the office's calendar: call this before the form is sent, so that the confirmation doesn't wait for it. */
export async function loadDueTime() {
  dueTime ??= await import('./due-time.ts').catch(() => undefined)
}

/** Inserts the reference and the time when the quote is due. If that time isn't known, inserts `quoteWithin`. */
export function fillSentPanel(reference = '', receivedAt?: Date) {
  setText(sentReferenceId, reference)
  setText(quoteDueId, (receivedAt && dueTime?.quoteDueInWords(receivedAt)) ?? quoteWithin)
}

function setText(id: string, text: string) {
  const element = document.getElementById(id)
  if (element) element.textContent = text
}
