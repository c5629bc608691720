/**
 * The header that the page adds to its requests while an owner is using it. Only these requests
 * extend the session.
 */
export const IN_USE = 'X-In-Use'

/**
 * The header that names, percent-encoded, whose page sends a change: in the meantime, another owner
 * may have signed in with the same browser, and must neither answer nor write what that page still
 * sends.
 */
export const PAGE_OF = 'X-Page-Of'

/**
 * The header of a file that is downloaded: its size in bytes, which isn't exact before all of it
 * was decoded.
 */
export const FILE_SIZE = 'X-File-Size'
