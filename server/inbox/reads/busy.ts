import { Problem } from '../../problem.ts'

const RETRY_AFTER_SECONDS = 5

/** The error for too many reads at once, or for a failed read: trying again may help. */
export const busy = (sentence = 'The inbox is busy right now. Please try again in a moment.'): Problem =>
  new Problem('busy', sentence, { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } })
