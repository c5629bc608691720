/** `tel:` with the digits only; visitors write anything. */
export const telephoneLink = (phone: string): string => `tel:${phone.replace(/(?!^\+)\D/g, '')}`
