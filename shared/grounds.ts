/** The page's background colors, for the browser's interface. A test compares them with tokens.css. */
export const grounds = { light: '#f7f4ed', dark: '#0e1b33' } as const
