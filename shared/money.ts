import { moneyPattern, numberPattern } from './number-patterns.ts'

type Pattern = typeof numberPattern

/** Formats a whole number, which must not be negative. */
export const writeNumber = ({ before, after, separator, groupSize }: Pattern, amount: number): string =>
  `${before}${String(amount).replace(new RegExp(`\\B(?=(\\d{${groupSize}})*\\d{3}$)`, 'g'), separator)}${after}`

/** 5000 -> "5,000". */
export const formatNumber = (number: number): string => writeNumber(numberPattern, number)

/** 1000 -> "$1,000". */
export const formatMoney = (amount: number): string => writeNumber(moneyPattern, amount)
