import { brand } from '#facts/brand.ts'
import { cleanName } from '../../leads/clean-name.ts'

/** The text that an owner finds in the answer field at first, with blank lines to fill in. */
export function answerTemplate({ firstName }: { firstName: string }, owner: string): string {
  const name = cleanName(firstName)
  const greeting = name ? `Hello ${name},` : 'Hello,'
  const signature = [ownerName(owner), brand.name].filter((line) => line !== '').join('\n')
  return `${greeting}\n\nThank you for your request.\n\n\n\n${signature}`
}

// Mailboxes that belong to a role, not a person.
const roles = new Set(
  'admin contact hello help hi info inbox inquiries leads mail office owner post quotes sales support team web webmaster'.split(
    ' ',
  ),
)

/**
 * Guesses an owner's name from the first word of the address that has at least two letters: "anna.berg@..." is Anna. Returns
 * an empty string if that word is a role, as in "hello@...".
 */
export function ownerName(address: string): string {
  const [local = ''] = address.split('@')
  const [first = ''] = local
    .replace(/\+.*/, '')
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 1)
  if (roles.has(first.toLowerCase())) return ''
  return first.charAt(0).toUpperCase() + first.slice(1).toLowerCase()
}
