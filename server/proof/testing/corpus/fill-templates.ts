/** Fills `{slot}` in each template `count` times with pseudorandom words, the same in every run. */
export function fillTemplates(
  templates: readonly string[],
  words: Record<string, readonly string[]>,
  count: number,
): string[] {
  let state = 1
  // The linear congruential generator from Numerical Recipes.
  const random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  const fill = (template: string) =>
    template.replace(/\{(\w+)\}/g, (_whole, slot: string) => {
      const choices = words[slot] ?? []
      return choices[Math.floor(random() * choices.length)] ?? ''
    })
  return templates.flatMap((template) => Array.from({ length: count }, () => fill(template)))
}
