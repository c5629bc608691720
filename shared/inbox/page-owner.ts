/** The header of changes with the owner who uses the page, percent-encoded. Another owner may sign in in another tab. */
export const PAGE_OWNER = 'X-Page-Owner'
