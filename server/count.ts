import { english } from '#shared/locale.ts'

/** Returns "1 lead" or "2 leads". Pass `many` for an irregular plural, or to include a verb. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString(english)} ${number === 1 ? one : many}`
