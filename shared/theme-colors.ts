import { colors } from '#facts/colors.ts'

const [light, dark] = colors.background

/** The color of the browser's toolbar in each theme. */
export const themeColors = { light, dark } as const
