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
