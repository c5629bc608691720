const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b)

/** The value that 99 of 100 do not exceed. */
export const percentile99 = (values: readonly number[]) =>
  sorted(values)[Math.floor(values.length * 0.99)] ?? 0

export const median = (values: readonly number[]) => sorted(values)[values.length >> 1] ?? 0
