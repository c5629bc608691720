const providers = ['gmail.com', 'yahoo.com', 'hotmail.com', 'outlook.com', 'icloud.com']
// Real, although they look like a slip of one of these.
const similar = ['mail.com', 'email.com', 'ymail.com', 'cloud.com']

/** A question to whoever typed an address that is valid but probably wrong, and the address that was probably meant. */
export type EmailDoubt = { question: string; meant?: string }

/** Doubts about an address: no dot in its domain, or one slip away from a large provider. Never a reason to refuse it. */
export function doubtEmail(address: string): EmailDoubt | undefined {
  const at = address.indexOf('@') + 1
  const domain = address.slice(at).trim().toLowerCase()
  if (!at || !domain) return undefined
  if (!domain.includes('.')) return { question: 'Is this address complete? It has no dot after the @.' }
  if (similar.includes(domain)) return undefined
  const ended = domain.replace(/\.(con|cmo|ocm|vom|xom|comm)$/, '.com')
  const fixed = providers.find((provider) => isOneSlipAway(ended, provider)) ?? ended
  if (fixed === domain) return undefined
  const meant = address.slice(0, at).trim() + fixed
  return { question: `Did you mean ${meant}?`, meant }
}

/** Whether one character is missing, too many or another one, or two have changed places. */
function isOneSlipAway(typed: string, meant: string): boolean {
  let start = 0
  while (start < typed.length && typed[start] === meant[start]) start++
  let end = 0
  while (end < Math.min(typed.length, meant.length) - start && typed.at(-1 - end) === meant.at(-1 - end))
    end++
  const [one, other] = [typed.slice(start, typed.length - end), meant.slice(start, meant.length - end)]
  return (one.length < 2 && other.length < 2) || (one.length === 2 && other === `${one[1]}${one[0]}`)
}
