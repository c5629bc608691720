import { moneyPattern, numberPattern } from './computed-facts.ts'
import { writeNumber } from './numbers.ts'

/** 5000 -> "5,000". */
export const formatNumber = (number: number): string => writeNumber(numberPattern, number)

/** 1000 -> "$1,000". */
export const formatMoney = (amount: number): string => writeNumber(moneyPattern, amount)
