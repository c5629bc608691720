import { currency, locale } from './computed-facts.ts'

// Digits are 0-9, even in locales that have their own.
const whole = {
  numberingSystem: 'latn',
  useGrouping: true,
  minimumFractionDigits: 0,
  maximumFractionDigits: 0,
} as const

const inGroups = (number: number) => String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ',')

/** How numbers and prices are written: see `formatNumber` and `formatMoney`. */
export function formatsFor(locale: string, currency: string) {
  // Loading `Intl` takes 80 ms on a slow phone while the page starts, so American dollars are
  // written without it.
  if (locale === 'en-US' && currency === 'USD')
    return { formatNumber: inGroups, formatMoney: (amount: number) => `$${inGroups(amount)}` }
  return {
    formatNumber: new Intl.NumberFormat(locale, whole).format,
    formatMoney: new Intl.NumberFormat(locale, { ...whole, style: 'currency', currency }).format,
  }
}

/** `formatNumber`: 5000 -> "5,000". `formatMoney`: 1000 -> "$1,000". */
export const { formatNumber, formatMoney } = formatsFor(locale, currency)
