/** The value at the quantile `part`, such as 0.99. */
export const percentile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.min(Math.floor(values.length * part), values.length - 1)] ?? 0

export const median = (values: readonly number[]) => percentile(values, 0.5)
