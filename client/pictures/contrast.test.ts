import { expect, test } from 'vitest'
import { colors } from '#facts/colors.ts'

type Name = keyof typeof colors
type Pair = {
  theme: 'light' | 'dark'
  front: string
  back: string
  colors: [front: string, back: string]
  ratio: number
  needed: number
}

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

/** The contrast of every foreground color with each background that it appears on. */
const findContrasts = (from: Record<Name, readonly [string, string]> = colors): Pair[] =>
  (['light', 'dark'] as const).flatMap((theme, index) => {
    const compare = (front: string, back: Name, needed: number, color: string): Pair => {
      const behind = from[back][index as 0 | 1]
      return { theme, front, back, colors: [color, behind], ratio: contrast(color, behind), needed }
    }
    return [
      ...needs.flatMap(([front, backs, needed]) =>
        backs.map((back) => compare(front, back, needed, from[front][index as 0 | 1])),
      ),
      ...inDark.map(([front, back, needed]) => compare(`${front} (dark)`, back, needed, from[front][1])),
    ]
  })

/** A sentence for each pair that is too faint. */
const describeFaint = (pairs: Pair[]): string[] =>
  pairs
    .filter(({ ratio, needed }) => ratio < needed)
    .map(
      ({ theme, front, back, ratio, needed }) =>
        `shared/business/colors.ts: in the ${theme} theme, the contrast of "${front}" on "${back}" is ${formatRatio(ratio)}, but WCAG AA needs ${needed}. Make the darker one darker, or the lighter one lighter.`,
    )

/** Rounded down: rounding up could show a failing ratio as a passing one. */
const formatRatio = (ratio: number): string => (Math.floor(ratio * 100) / 100).toFixed(2)

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

test('the contrast of black on white is 21', () => {
  const extreme = { ...colors, text: ['#000000', '#ffffff'], background: ['#ffffff', '#000000'] } as const

  const [light] = findContrasts(extreme)

  expect(light).toMatchObject({ theme: 'light', front: 'text', back: 'background', ratio: 21 })
})

test('our colors have enough contrast in both themes', () => {
  const contrasts = findContrasts()

  expect(contrasts.length).toBeGreaterThan(30)
  expect(describeFaint(contrasts)).toEqual([])
})

test('if two colors have too little contrast, a message names them, their contrast, and the contrast they need', () => {
  // #777777 on white is a borderline case: its contrast of 4.478 would pass if it were rounded to 4.5.
  const faint = {
    ...colors,
    action: ['#777777', colors.action[1]],
    'on-action': ['#ffffff', '#0e1b33'],
  } as const

  expect(describeFaint(findContrasts(faint))).toEqual([
    'shared/business/colors.ts: in the light theme, the contrast of "on-action" on "action" is 4.47, but WCAG AA needs 4.5. Make the darker one darker, or the lighter one lighter.',
  ])
})

test('the text of the footer is checked in both themes', () => {
  const faint = { ...colors, footer: ['#cccccc', colors.footer[1]] } as const

  const found = describeFaint(findContrasts(faint))

  expect(found).toHaveLength(3)
  expect(found[0]).toContain('in the light theme, the contrast of "text (dark)" on "footer"')
})
