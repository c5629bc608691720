import { findEmailTypo } from '../find-email-typo.ts'
import { telephoneLink } from '../telephone-link.ts'

/** What to do about a lead whose receipt bounced. */
export const addressDoubt = (phone: string): string =>
  telephoneLink(phone)
    ? 'The address may be wrong: call instead.'
    : 'The address may be wrong, and there is no phone number.'

/** Why an address looks mistyped; null if it doesn't. The form also warns visitors about typos, but only with JavaScript. */
export function typoInWords(email: string): string | null {
  const typo = findEmailTypo(email)
  if (!typo) return null
  return typo.correction ? `May mean ${typo.correction}.` : 'No dot after the @: it may be incomplete.'
}
