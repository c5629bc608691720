/** The median: for an even count, the mean of the two middle values. Null if there are no values. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const { skip, take } = middleOf(sorted.length)
  const middle = sorted.slice(skip, skip + take)
  return middle.length === 0 ? null : middle.reduce((sum, value) => sum + value, 0) / middle.length
}

/** How many of `count` sorted values to skip and to take, to get the middle one or two. */
export const middleOf = (count: number): { skip: number; take: number } => ({
  skip: Math.max(0, Math.floor((count - 1) / 2)),
  take: 2 - (count % 2),
})
