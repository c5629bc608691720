import { errorFacts } from '../../../error-facts.ts'

/**
 * Why the library rejected a passkey, for the log. Leaves out what the library quotes, because it comes from the
 * browser.
 */
export const reasonOf = (error: unknown): string => errorFacts(error).message?.split('"')[0]?.trim() ?? ''
