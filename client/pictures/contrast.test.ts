import { expect, test } from 'vitest'
import { colors } from '#facts/colors.ts'

type Name = keyof typeof colors

/**
 * The ratios that WCAG 2.2, level AA, requires: criterion 1.4.3 for text, and criterion 1.4.11 for shapes that show a
 * control or its state.
 */
const TEXT = 4.5
const SHAPE = 3

const needs: readonly [front: Name, backs: readonly Name[], needed: number][] = [
  ['text', ['background', 'panel', 'well'], TEXT],
  ['muted', ['background', 'panel', 'well'], TEXT],
  ['accent', ['background', 'panel'], TEXT],
  ['line', ['background', 'panel'], TEXT],
  ['error', ['background', 'panel'], TEXT],
  ['on-action', ['action', 'action-hover'], TEXT],
  ['control', ['background', 'panel'], SHAPE],
  ['success', ['panel'], SHAPE],
]

/** The foreground colors of the parts that use the colors of the dark theme in both themes. */
const inDark: readonly [front: Name, back: 'band' | 'footer', needed: number][] = [
  ['text', 'band', TEXT],
  ['muted', 'band', TEXT],
  ['line', 'band', TEXT],
  ['text', 'footer', TEXT],
  ['muted', 'footer', TEXT],
  ['accent', 'footer', SHAPE],
]

/** A sentence for each foreground color that is too faint on one of its backgrounds. */
const findFaint = () =>
  ([0, 1] as const).flatMap((theme) => {
    const pairs = [
      ...needs.flatMap(([front, backs, needed]) =>
        backs.map((back) => ({ front, back, needed, color: colors[front][theme] })),
      ),
      ...inDark.map(([front, back, needed]) => ({ front, back, needed, color: colors[front][1] })),
    ]
    return pairs.flatMap(({ front, back, needed, color }) => {
      const ratio = contrast(color, colors[back][theme])
      const where = `"${front}" on "${back}" in the ${theme === 0 ? 'light' : 'dark'} theme`
      return ratio < needed ? [`colors.ts: ${where} has a contrast of ${ratio}, but needs ${needed}`] : []
    })
  })

/** The contrast ratio as defined by WCAG, from 1 to 21. */
function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

test('our colors have enough contrast in both themes', () => {
  expect(contrast('#ffffff', '#000000')).toBe(21)
  expect(findFaint()).toEqual([])
})
