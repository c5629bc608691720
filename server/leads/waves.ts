/**
 * Splits items into waves to run one after another. Items in the same wave have no key in common: each item goes into
 * the first wave after the waves of all earlier items that share a key with it.
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
