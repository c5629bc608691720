import { currency, locale } from './computed-facts.ts'

// Digits are 0-9, even in locales that have their own.
const whole = {
  numberingSystem: 'latn',
  useGrouping: true,
  minimumFractionDigits: 0,
  maximumFractionDigits: 0,
} as const
const withIntl = (style?: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat(locale, { ...whole, ...style }).format

// Loading `Intl` takes 80 ms on a slow phone while the page starts, so American dollars are written without it.
const isAmerican = locale === 'en-US' && currency === 'USD'
const inGroups = (number: number) => String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ',')

/** 5000 -> "5,000". */
export const formatNumber: (number: number) => string = isAmerican ? inGroups : withIntl()

/** 1000 -> "$1,000". */
export const formatMoney: (amount: number) => string = isAmerican
  ? (amount) => `$${inGroups(amount)}`
  : withIntl({ style: 'currency', currency })
