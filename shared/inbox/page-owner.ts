/**
 * The header that contains the percent-encoded address of the owner who opened the page. Requests that change something
 * include it, so that the server can refuse them if another owner has signed in since.
 */
export const PAGE_OWNER = 'X-Page-Owner'
