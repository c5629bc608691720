/**
 * Finds what `Intl` puts around and between the digits of a whole number. The pattern is for numbers written with the digits
 * 0-9, even in locales that have their own digits.
 */
export function findNumberPattern(locale: string, options: Intl.NumberFormatOptions = {}) {
  const format = new Intl.NumberFormat(locale, {
    ...options,
    numberingSystem: 'latn',
    maximumFractionDigits: 0,
  })
  const parts = format.formatToParts(1_234_567)
  const join = (some: typeof parts) => some.map(({ value }) => value).join('')
  const isDigits = ({ type }: (typeof parts)[number]) => type === 'integer'
  const digits = parts.filter(isDigits)
  return {
    before: join(parts.slice(0, parts.findIndex(isDigits))),
    after: join(parts.slice(parts.length - [...parts].reverse().findIndex(isDigits))),
    separator: parts.find(({ type }) => type === 'group')?.value ?? '',
    /** The number of digits in each group before the last one: 3 or, in India, 2. The last group always has three. */
    groupSize: digits.at(-2)?.value.length ?? 3,
  }
}

/** Whether this is a language tag that `Intl` supports, such as "en-US". */
export function isLocale(locale: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(locale).length > 0
  } catch {
    return false
  }
}

/** Whether this is the code of a currency, such as "USD". */
export const isCurrency = (currency: string): boolean => Intl.supportedValuesOf('currency').includes(currency)

export type NumberPattern = ReturnType<typeof findNumberPattern>

/** Formats a whole number, which must not be negative. */
export const writeNumber = ({ before, after, separator, groupSize }: NumberPattern, amount: number): string =>
  `${before}${String(amount).replace(new RegExp(`\\B(?=(\\d{${groupSize}})*\\d{3}$)`, 'g'), separator)}${after}`

/** The budget range of a plan must include the cost of its setup and this many months. */
export const BUDGET_MONTHS = 6

export const costOfFirstMonths = ({ setup, monthly }: { setup: number; monthly: number }): number =>
  setup + BUDGET_MONTHS * monthly
