const providers = ['gmail.com', 'yahoo.com', 'hotmail.com', 'outlook.com', 'icloud.com']
// Real domains that look like misspelled providers.
const lookalikes = ['mail.com', 'email.com', 'ymail.com', 'cloud.com']

export type EmailTypo = { question: string; correction?: string }

/** Finds a likely typo in a valid address: no dot in the domain, a misspelled ".com", or a misspelled large provider. */
export function findEmailTypo(address: string): EmailTypo | undefined {
  const domainStart = address.indexOf('@') + 1
  const domain = address.slice(domainStart).trim().toLowerCase()
  if (!domainStart || !domain || lookalikes.includes(domain)) return undefined
  if (!domain.includes('.')) return { question: 'Is this address complete? It has no dot after the @.' }
  const withCom = domain.replace(/\.(con|cmo|ocm|vom|xom|comm)$/, '.com')
  const corrected = providers.find((provider) => isOneTypoAway(withCom, provider)) ?? withCom
  if (corrected === domain) return undefined
  const correction = address.slice(0, domainStart).trim() + corrected
  return { question: `Did you mean ${correction}?`, correction }
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
