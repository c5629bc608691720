/** A `tel:` link with only the digits and any leading "+". Visitors also type spaces, dashes and parentheses. */
export const telephoneLink = (phone: string): string => `tel:${phone.replace(/(?!^\+)\D/g, '')}`
