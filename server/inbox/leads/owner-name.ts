// Mailboxes that belong to a role, not a person.
const roles = new Set(
  'admin contact hello help hi info inbox inquiries leads mail office owner post quotes sales support team web webmaster'.split(
    ' ',
  ),
)

/** Guesses an owner's name from the first word of the address ("anna.berg@..." is Anna). Empty for a role ("hello@..."). */
export function ownerName(address: string): string {
  const [local = ''] = address.split('@')
  const [first = ''] = local
    .replace(/\+.*/, '')
    .split(/[^\p{L}]+/u)
    .filter((word) => word.length > 1)
  if (roles.has(first.toLowerCase())) return ''
  return first.charAt(0).toUpperCase() + first.slice(1).toLowerCase()
}
