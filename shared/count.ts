import { english } from './computed-facts.ts'

/**
 * Formats a number with its noun, like "2 leads". `many` is for irregular plurals and for verbs: "2
 * leads are waiting".
 */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString(english)} ${number === 1 ? one : many}`
