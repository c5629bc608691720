import { currency, locale } from './computed-facts.ts'

// Digits are 0-9, even in locales that have their own.
const whole = {
  numberingSystem: 'latn',
  useGrouping: true,
  minimumFractionDigits: 0,
  maximumFractionDigits: 0,
} as const

const inGroups = (number: number) => String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ',')

type Formats = Record<'formatNumber' | 'formatMoney', (amount: number) => string>

/** How numbers and prices are written: see `formatNumber` and `formatMoney`. */
export function formatsFor(locale: string, currency: string): Formats {
  // Loading `Intl` takes 80 ms on a slow phone while the page starts, so American dollars are written without it.
  if (locale === 'en-US' && currency === 'USD')
    return { formatNumber: inGroups, formatMoney: (amount) => `$${inGroups(amount)}` }
  return {
    formatNumber: new Intl.NumberFormat(locale, whole).format,
    formatMoney: new Intl.NumberFormat(locale, { ...whole, style: 'currency', currency }).format,
  }
}

const formats = formatsFor(locale, currency)

/** 5000 -> "5,000". */
export const formatNumber: (number: number) => string = formats.formatNumber

/** 1000 -> "$1,000". */
export const formatMoney: (amount: number) => string = formats.formatMoney
