/** Header of changes: the page's owner, percent-encoded. A different owner may have signed in since. */
export const PAGE_OWNER = 'X-Page-Owner'
