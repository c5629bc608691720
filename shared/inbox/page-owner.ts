/**
 * The name of a header that says for which owner the page was opened, percent-encoded. Requests that change something have
 * it, so that the server can refuse them if another owner has signed in since.
 */
export const PAGE_OWNER = 'X-Page-Owner'
