import { randomInt } from 'node:crypto'

// Crockford's base 32 has no I, L, O or U, so that a reference can be read out over the phone.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const four = () => Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** The public name of a lead, such as "Q-7K3M-9QXD". Random, so that it does not reveal how many leads there are. */
export const createReference = (): string => `Q-${four()}-${four()}`

/** Normalizes a reference as people type it ("q7k3m9qxd", an O for a zero); undefined if it is not a reference. */
export function readReference(typed: string): string | undefined {
  const letters = typed
    .trim()
    .toUpperCase()
    .replace(/^Q[\s-]+/, '')
    .replace(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  const [, first, last] =
    /^(?:Q(?=.{8}$))?([0-9A-HJKMNP-TV-Z]{4})([0-9A-HJKMNP-TV-Z]{4})$/.exec(letters) ?? []
  return first && last && `Q-${first}-${last}`
}
