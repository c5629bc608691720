/** The header of requests that the page sends while an owner uses it. Only these extend the session. */
export const IN_USE = 'X-In-Use'
