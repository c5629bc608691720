const providers = ['gmail.com', 'yahoo.com', 'hotmail.com', 'outlook.com', 'icloud.com']
// Real domains that look like typos of these.
const similar = ['mail.com', 'email.com', 'ymail.com', 'cloud.com']

export type EmailQuestion = { question: string; meant?: string }

/** A question about a valid but probably wrong address: no dot in the domain, or a typo of a large provider. Never blocks. */
export function questionEmail(address: string): EmailQuestion | undefined {
  const at = address.indexOf('@') + 1
  const domain = address.slice(at).trim().toLowerCase()
  if (!at || !domain) return undefined
  if (!domain.includes('.')) return { question: 'Is this address complete? It has no dot after the @.' }
  if (similar.includes(domain)) return undefined
  const ended = domain.replace(/\.(con|cmo|ocm|vom|xom|comm)$/, '.com')
  const fixed = providers.find((provider) => isOneTypoAway(ended, provider)) ?? ended
  if (fixed === domain) return undefined
  const meant = address.slice(0, at).trim() + fixed
  return { question: `Did you mean ${meant}?`, meant }
}

/** Whether one character is missing, extra or wrong, or two neighbors are swapped. */
function isOneTypoAway(typed: string, meant: string): boolean {
  let start = 0
  while (start < typed.length && typed[start] === meant[start]) start++
  let end = 0
  while (end < Math.min(typed.length, meant.length) - start && typed.at(-1 - end) === meant.at(-1 - end))
    end++
  const [one, other] = [typed.slice(start, typed.length - end), meant.slice(start, meant.length - end)]
  return (one.length < 2 && other.length < 2) || (one.length === 2 && other === `${one[1]}${one[0]}`)
}
