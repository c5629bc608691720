/** The value that this part of them do not exceed. */
export const percentile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.min(Math.floor(values.length * part), values.length - 1)] ?? 0

/** The value that 99 of 100 do not exceed. */
export const percentile99 = (values: readonly number[]) => percentile(values, 0.99)

export const median = (values: readonly number[]) => percentile(values, 0.5)
