/** Header of every change: the page's owner, percent-encoded. The server refuses it if a different owner has signed in. */
export const PAGE_OWNER = 'X-Page-Owner'
