// Shorter names, such as aol.com and live.com, are left out, because they look too much like other
// domains.
const providers = [
  'gmail.com',
  'yahoo.com',
  'hotmail.com',
  'outlook.com',
  'icloud.com',
  'comcast.net',
  'verizon.net',
  'sbcglobal.net',
  'protonmail.com',
]
// Real domains that look like misspelled providers.
const lookalikes = ['mail.com', 'cloud.com', 'gail.com']
// None of these endings is a real top-level domain.
const misspelledEndings = {
  com: /\.(con|cpm|cim|cmo|ocm|vom|xom|c0m|comm|coom|ccom|coma)$/,
  net: /\.(met|ney|nte|ent|nett)$/,
  org: /\.(prg|irg|ogr|rog|orgg)$/,
}
// These are real country endings, but after a large provider's name they are typos.
const shortenedCom = /\.(co|cm|om)$/

export type EmailTypo = { question: string; correction?: string }

/**
 * Finds a likely typo in a valid address: a misspelled provider, a misspelled ending, or a missing
 * dot.
 */
export function findEmailTypo(address: string): EmailTypo | undefined {
  const domainStart = address.indexOf('@') + 1
  const domain = address.slice(domainStart).toLowerCase()
  // The server takes an address out of brackets and quotation marks.
  if (!domainStart || !domain || /[<>()[\]"'\s]/.test(domain)) return undefined
  const corrected = correctDomain(domain)
  if (corrected === domain)
    return domain.includes('.')
      ? undefined
      : { question: 'Is this address complete? It has no dot after the @.' }
  const correction = address.slice(0, domainStart) + corrected
  return { question: `Did you mean ${correction}?`, correction }
}

function correctDomain(domain: string): string {
  let withEnding = domain
  for (const [ending, misspelled] of Object.entries(misspelledEndings))
    withEnding = withEnding.replace(misspelled, `.${ending}`)
  const candidates = [withEnding, domain.replace(shortenedCom, '.com'), `${domain}.com`]
  return providers.find((provider) => candidates.some((typed) => isTypoOf(provider, typed))) ?? withEnding
}

const isTypoOf = (provider: string, typed: string) =>
  !lookalikes.includes(typed) && isOneTypoAway(typed, provider)

/**
 * Whether at most one character is missing, extra or wrong, or two neighbors are swapped. Returns
 * false if the first letter is wrong, because email.com, ymail.com and wahoo.com are real domains.
 */
export function isOneTypoAway(typed: string, meant: string): boolean {
  let start = 0
  while (start < typed.length && typed[start] === meant[start]) start++
  let end = 0
  while (end < Math.min(typed.length, meant.length) - start && typed.at(-1 - end) === meant.at(-1 - end))
    end++
  const [one, other] = [typed.slice(start, typed.length - end), meant.slice(start, meant.length - end)]
  if (one.length === 1 && other.length === 1) return start > 0
  return (one.length < 2 && other.length < 2) || (one.length === 2 && other === `${one[1]}${one[0]}`)
}
