const GMAIL = ['gmail.com', 'googlemail.com']

/**
 * A canonical form of an address, for counting: most mail servers ignore everything after a `+`, and Gmail ignores dots. In
 * rare cases two mailboxes share one, so never send to it.
 */
export function mailboxOf(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1).toLowerCase()
  const name = address
    .slice(0, at)
    .toLowerCase()
    .replace(/(?<=.)\+.*$/, '')
  return GMAIL.includes(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}
