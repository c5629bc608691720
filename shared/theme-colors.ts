/** Colors for the browser's toolbar. A test compares them with tokens.css. */
export const themeColors = { light: '#f7f4ed', dark: '#0e1b33' } as const
