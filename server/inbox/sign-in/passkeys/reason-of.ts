import { errorFacts } from '../../../error-facts.ts'

/**
 * Why the passkey library rejected a passkey, for the log. Cuts the library's message at the first quotation mark, because
 * quoted text comes from the browser.
 */
export const reasonOf = (error: unknown): string => errorFacts(error).message?.split('"')[0]?.trim() ?? ''
