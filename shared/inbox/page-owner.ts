/** Header of every change: the page's owner, percent-encoded. The server refuses the change if another one is signed in. */
export const PAGE_OWNER = 'X-Page-Owner'
