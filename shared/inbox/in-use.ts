/** The header that the page adds to its requests while an owner is using it. Only these requests extend the session. */
export const IN_USE = 'X-In-Use'
