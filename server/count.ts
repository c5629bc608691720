/** "1 lead", "2 leads"; pass `many` for an irregular plural, or to include a verb. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`
