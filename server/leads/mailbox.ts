const GMAIL = ['gmail.com', 'googlemail.com']

/**
 * One name for all the ways to write the address of a mailbox, to count by: most mail servers ignore what follows a `+`, and
 * Gmail ignores dots. Two people may share a name in rare cases, so send to the address itself.
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
