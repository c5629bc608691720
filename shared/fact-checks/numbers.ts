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

/** The budget range of a plan must include the cost of its setup and this many months. */
export const BUDGET_MONTHS = 6

export const costOfFirstMonths = ({ setup, monthly }: { setup: number; monthly: number }): number =>
  setup + BUDGET_MONTHS * monthly
