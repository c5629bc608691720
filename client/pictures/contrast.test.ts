import { expect, test } from 'vitest'
import { colors } from '#facts/colors.ts'
import { describeFaint, findContrasts } from './contrast.ts'

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
