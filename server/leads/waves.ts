/**
 * Splits items into waves that must run one after another. An item is in the first wave after those of all earlier items with
 * which it has a key in common.
 */
export function toWaves<Item>(items: readonly Item[], keysOf: (item: Item) => readonly string[]): Item[][] {
  const waves: Item[][] = []
  const firstFree = new Map<string, number>()
  for (const item of items) {
    const keys = keysOf(item)
    const wave = Math.max(0, ...keys.map((key) => firstFree.get(key) ?? 0))
    waves[wave] = [...(waves[wave] ?? []), item]
    for (const key of keys) firstFree.set(key, wave + 1)
  }
  return waves
}
