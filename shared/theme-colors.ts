import { colors } from '#facts/colors.ts'

const [light, dark] = colors.background

/** Colors for the browser's toolbar. */
export const themeColors = { light, dark } as const
