/** "1 lead", "2 leads"; `many` where the plural is not formed with an s, or a verb goes with it. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`
