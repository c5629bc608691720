import type { Colors } from '../fact-checks/facts.ts'

/**
 * The colors of the page, the inbox, the emails, the icons and the share image, each for the light
 * and the dark theme. After a change, run `npm run brand`: it redraws the icons, the share image
 * and the portfolio pictures. `npm test` fails if some text has too little contrast.
 */
export const colors = {
  background: ['#f7f4ed', '#0e1b33'],
  /** Cards and fields. */
  panel: ['#fdfcf8', '#12213d'],
  /** The background of highlighted parts, such as a button under the pointer. */
  well: ['#ece7da', '#172a4c'],
  text: ['#14213a', '#e8eef9'],
  muted: ['#4a556b', '#a9b8d4'],
  hairline: ['#d6d0c1', '#2b4170'],
  /** The outlines of fields, buttons and cards. */
  control: ['#6b7689', '#6f83a8'],
  accent: ['#c2410c', '#ff8a4c'],
  action: ['#c2410c', '#ff8a4c'],
  'action-hover': ['#9a3412', '#ffa873'],
  'on-action': ['#ffffff', '#0e1b33'],
  /** Links and drawings. */
  line: ['#1f4fd8', '#7fa8ff'],
  grid: ['#e4eaf8', '#1a2c50'],
  error: ['#b42318', '#ff9b8f'],
  success: ['#0f6b3e', '#6fd6a0'],
  /**
   * The background of the prices: dark in both themes, because their text always has the dark
   * theme's colors.
   */
  band: ['#0e1b33', '#16356f'],
  /**
   * The background of the footer: dark in both themes, because the footer's text always has the
   * dark theme's colors.
   */
  footer: ['#14213a', '#0b1428'],
} as const satisfies Colors
