/** Fills `{slot}` in each template `count` times with words taken in a random-looking order that is always the same. */
export function fillTemplates(
  templates: readonly string[],
  words: Record<string, readonly string[]>,
  count: number,
): string[] {
  let state = 1
  // The linear congruential generator of Numerical Recipes: the high bits are mixed well enough to choose words.
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
