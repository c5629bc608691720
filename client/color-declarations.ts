import { colors } from '#facts/colors.ts'

const themes = { light: 0, dark: 1 } as const

/** The declarations that replace `@colors <set>` in the style sheets: CSS variables and their values. */
export function colorDeclarations(set: string): [variable: string, color: string][] {
  if (set === 'footer') return inFooter.map(([name, color]) => [`--color-${name}`, color])
  const theme = themes[set as keyof typeof themes]
  if (theme === undefined) throw new Error(`Unknown colors in a style sheet: ${set}`)
  return Object.entries(colors).map(([name, color]) => [`--color-${name}`, color[theme]])
}

/** The footer is dark in both themes, so it has the colors of the dark one. */
const inFooter = [
  ['footer-line', colors.hairline[1]],
  ['on-footer', colors.text[1]],
  ['on-footer-muted', colors.muted[1]],
  ['footer-accent', colors.accent[1]],
] as const
