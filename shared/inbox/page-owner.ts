/**
 * The header of requests that change something: the owner for whom the page was opened, percent-encoded. The server refuses
 * the request if another owner has signed in since.
 */
export const PAGE_OWNER = 'X-Page-Owner'
