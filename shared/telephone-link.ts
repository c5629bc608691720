/** A `tel:` link without the other characters that visitors write between the digits. */
export const telephoneLink = (phone: string): string => `tel:${phone.replace(/(?!^\+)\D/g, '')}`
