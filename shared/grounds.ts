/** The ground of the page by day and by night, for what is drawn around it. A test holds them against tokens.css. */
export const grounds = { light: '#f7f4ed', dark: '#0e1b33' } as const
