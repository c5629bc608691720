import { errorFacts } from '../../../error-facts.ts'

/** Why the library refused, for the log: without what it quotes, because the browser chose that. */
export const reasonOf = (error: unknown): string => errorFacts(error).message?.split('"')[0]?.trim() ?? ''
