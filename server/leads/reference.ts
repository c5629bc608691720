import { randomInt } from 'node:crypto'

// Crockford's base 32, without I, L, O and U: easy to read out over the phone.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const four = () => Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/**
 * The public name of a lead, such as "Q-7K3M-9QXD". Random, so that it doesn't reveal how many
 * leads there are.
 */
export const createReference = (): string => `Q-${four()}-${four()}`

/**
 * Normalizes a reference that a person typed ("q7k3m9qxd", an O for a zero); undefined if it isn't
 * a reference.
 */
export function readReference(typed: string): string | undefined {
  const letters = typed
    .toUpperCase()
    .replace(/^Q[\s-]+/, '')
    .replace(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  const [, first, last] =
    /^(?:Q(?=.{8}$))?([0-9A-HJKMNP-TV-Z]{4})([0-9A-HJKMNP-TV-Z]{4})$/.exec(letters) ?? []
  return first && last && `Q-${first}-${last}`
}
