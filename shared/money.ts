import { currency, locale } from './computed-facts.ts'

// Digits are 0-9, even in locales that have their own.
const whole = {
  numberingSystem: 'latn',
  useGrouping: true,
  minimumFractionDigits: 0,
  maximumFractionDigits: 0,
} as const
const numbers = new Intl.NumberFormat(locale, whole)
const money = new Intl.NumberFormat(locale, { ...whole, style: 'currency', currency })

/** 5000 -> "5,000". */
export const formatNumber = (number: number): string => numbers.format(number)

/** 1000 -> "$1,000". */
export const formatMoney = (amount: number): string => money.format(amount)
