/** The header of requests that the page sends while an owner is using it. Only these requests extend the session. */
export const IN_USE = 'X-In-Use'
